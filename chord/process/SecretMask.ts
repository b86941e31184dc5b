/** What stands in the place of a secret. */
export const mask = '***';

/**
 * Values shorter than this are not masked: `1`, `no` or `dev` stand in every second line of a log, and one that is
 * cut out of everything would tell more by its holes than by itself. No real key is that short.
 */
const shortestSecret = 4;

/** Lines of a value of several lines (a private key) are masked each by itself from this length on. */
const shortestLine = 8;

/** A value as it may be printed: as it is, trimmed, line by line, and inside a JSON string. */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= shortestLine);
  const plain = [value, value.trim(), ...lines];
  return [...plain, ...plain.map((text) => JSON.stringify(text).slice(1, -1))];
}

/** Takes the credential's values out of texts that people see. */
export class SecretMask {
  private readonly pattern: RegExp | undefined;

  /** Characters of the longest spelling. */
  readonly longest: number;

  constructor(values: readonly string[]) {
    const secrets = [...new Set(values.flatMap(spellings))]
      .filter((secret) => secret.length >= shortestSecret)
      // The longest first, so that a secret that begins with another one is masked whole.
      .sort((a, b) => b.length - a.length);
    this.longest = secrets[0]?.length ?? 0;
    const escaped = secrets.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    if (escaped.length > 0) this.pattern = new RegExp(escaped.join('|'), 'g');
  }

  /** The text without secrets. */
  mask(text: string): string {
    return this.pattern === undefined ? text : text.replace(this.pattern, mask);
  }

  /**
   * Masks the part of a growing text that later text cannot change any more: a secret may be cut by the end of
   * `text`, so its last characters stay in `rest`, unmasked, to be put before what comes next.
   */
  maskBeginning(text: string): { masked: string; rest: string } {
    if (this.pattern === undefined) return { masked: text, rest: '' };
    let certain = Math.max(0, text.length - (this.longest - 1));
    for (const found of text.matchAll(this.pattern)) {
      if (found.index >= certain) break;
      certain = Math.max(certain, found.index + found[0].length);
    }
    return { masked: this.mask(text.slice(0, certain)), rest: text.slice(certain) };
  }
}
