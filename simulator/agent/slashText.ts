/** Removes blanks at both ends as Go does: U+0085 and U+00A0 count, U+FEFF does not. */
export function trimGo(text: string): string {
  const blank = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
  return text.replace(new RegExp(`^${blank}|${blank}$`, 'g'), '');
}

/** Whether a text is that command, with or without arguments. */
export const isCommand = (text: string, name: string) => text === name || text.startsWith(`${name} `);

/** Slash commands that need the terminal program. */
export function needsTerminal(text: string): boolean {
  const [name, argument] = text.split(/\s+/);
  return name === '/export' || ((name === '/resume' || name === '/mcp') && !argument);
}
