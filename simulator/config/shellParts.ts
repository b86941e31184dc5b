/** Splits a command line at `;`, `|`, `&`, `&&`, `||`, brackets and line ends outside of quotes, as Chord judges it part by part. */
export function shellParts(command: string): string[] {
  const parts: string[] = [];
  let current = '';
  let quote = '';
  for (let index = 0; index < command.length; index += 1) {
    const character = command.charAt(index);
    if (character === '\\' && quote !== "'") {
      current += character + (command[index + 1] ?? '');
      index += 1;
    } else if (quote) {
      if (character === quote) quote = '';
      current += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      current += character;
    } else if (character === '&' && (command[index - 1] === '>' || command[index + 1] === '>')) {
      current += character;
    } else if (';|&\n'.includes(character) || ('()'.includes(character) && command[index - 1] !== '$')) {
      parts.push(current);
      current = '';
    } else {
      current += character;
    }
  }
  parts.push(current);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
