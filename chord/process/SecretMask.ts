/** What stands in the place of a secret. */
export const mask = '***';

/**
 * Values shorter than this are not masked: `1`, `no` or `dev` stand in every second line of a log, and one that is
 * cut out of everything would tell more by its holes than by itself. No real key is that short.
 */
const shortestSecret = 4;

/** Lines of a value of several lines (a private key) are masked each by itself from this length on. */
const shortestLine = 8;

/**
 * Variables that hold no secret but the ways of the machine. They stay readable: an error that names the PATH it
 * searched helps only if it shows it, and a masked HOME would put holes into every path.
 */
const openNames = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|XDG_.*)$/i;

/** The values of a credential's variables that nobody may read in an error, an item or a log. */
export const secretValues = (environment: readonly { name: string; value: string }[]): string[] =>
  environment.filter(({ name }) => !openNames.test(name)).map(({ value }) => value);

/** A value as it may be printed: as it is, trimmed, line by line, and inside a JSON string. */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= shortestLine);
  const plain = [value, value.trim(), ...lines];
  return [...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1))];
}

/** Takes the credential's values out of texts that people see. */
export class SecretMask {
  /** Every spelling, the longest first, so that a secret that begins with another one is masked whole. */
  private readonly secrets: readonly string[];

  private readonly pattern: RegExp | undefined;

  constructor(values: readonly string[]) {
    this.secrets = [...new Set(values.flatMap(spellings))]
      .filter((secret) => secret.length >= shortestSecret)
      .sort((a, b) => b.length - a.length);
    const escaped = this.secrets.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (escaped.length > 0) this.pattern = new RegExp(escaped.join('|'), 'g');
  }

  /** The text without secrets. */
  mask(text: string): string {
    return this.pattern === undefined ? text : text.replace(this.pattern, mask);
  }

  /** The beginning of a text without secrets, and without the beginning of one where it was cut. */
  maskCut(text: string): string {
    const masked = this.mask(text);
    for (const secret of this.secrets) {
      for (let length = secret.length - 1; length >= shortestSecret; length -= 1) {
        if (masked.endsWith(secret.slice(0, length))) return masked.slice(0, -length) + mask;
      }
    }
    return masked;
  }

  /**
   * Masks the part of a growing text that later text cannot change any more: a secret may be cut by the end of
   * `text`, so its last characters stay in `rest`, unmasked, to be put before what comes next.
   */
  maskBeginning(text: string): { masked: string; rest: string } {
    if (this.pattern === undefined) return { masked: text, rest: '' };
    const longest = this.secrets[0]?.length ?? 0;
    let certain = Math.max(0, text.length - (longest - 1));
    for (const found of text.matchAll(this.pattern)) {
      if (found.index >= certain) break;
      certain = Math.max(certain, found.index + found[0].length);
    }
    return { masked: this.mask(text.slice(0, certain)), rest: text.slice(certain) };
  }
}
