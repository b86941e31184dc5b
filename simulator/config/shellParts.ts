/** Words that only hold commands together, and assignments before a command: no part of it (measured). */
const FRAME =
  /^(?:(?:if|then|elif|else|fi|do|done|while|until|time|!|\{|\})(?=\s|$)|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)(?=\s))\s*/;

/** Loops over words: what they hold is looked at by itself. */
const HEAD = /^(?:for|select|case)\s/;

/** Reads one command line, character by character. */
class ShellReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The simple commands up to `end`, in order; each is followed by those inside of it. */
  parts(end = ''): string[] {
    const parts: string[] = [];
    let inner: string[] = [];
    let current = '';
    const finish = () => {
      const part = simple(current);
      parts.push(...(part ? [part] : []), ...inner);
      current = '';
      inner = [];
    };
    while (this.at < this.text.length) {
      const next = this.text.charAt(this.at);
      if (next === end) break;
      const substitution = this.text.startsWith('$(', this.at) ? ')' : next === '`' ? '`' : '';
      if (substitution) {
        const from = this.at;
        this.at += substitution === ')' ? 2 : 1;
        inner.push(...this.parts(substitution));
        this.at += 1;
        current += this.text.slice(from, this.at);
      } else if (next === '\\' || next === "'" || next === '"') current += this.quoted(next);
      else if (next === '>' || next === '<') current = this.withoutRedirection(current);
      else if (next === '#' && /(^|\s)$/.test(current)) this.skip(/[^\n]*/y);
      else {
        this.at += 1;
        if (';|&\n()'.includes(next)) finish();
        else current += next;
      }
    }
    finish();
    return parts;
  }

  private quoted(quote: string): string {
    const pattern = quote === '\\' ? /\\[^]?/y : quote === "'" ? /'[^']*'?/y : /"(?:\\[^]|[^"\\])*"?/y;
    return this.skip(pattern);
  }

  private withoutRedirection(before: string): string {
    this.skip(/[<>]+[&|]?\s*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]*)/y);
    return before.replace(/(^|\s)\d+$/, '$1');
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

function simple(part: string): string {
  let text = part.trim();
  for (let shorter = text.replace(FRAME, ''); shorter !== text; shorter = text.replace(FRAME, ''))
    text = shorter;
  return HEAD.test(text) ? '' : text.trim();
}

/** The simple commands of a command line, as Chord judges them one by one: without redirections, keywords and assignments. */
export function shellParts(command: string): string[] {
  return new ShellReader(command).parts();
}
