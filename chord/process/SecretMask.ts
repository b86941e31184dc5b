import { ChordError, type ErrorFacts } from '../errors';
import { escapedPattern, plainPattern } from './secretPatterns';

/** What replaces a secret. */
export const mask = '***';

/**
 * Values shorter than this are not masked: `1`, `no` or `dev` stand in every second line of a log, and one that is
 * cut out of everything would tell more by its holes than by itself. No real key is that short.
 */
const shortestSecret = 4;

/** Lines of a value of several lines (a private key) are masked each by itself from this length on. */
const shortestLine = 8;

/** Variables with such a word in their name hold secrets. */
const secretName = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/i;

/** A value of this length that is neither words nor a path looks like a secret under any name. */
const longValue = 16;

const looksSecret = (value: string): boolean => value.length >= longValue && !/[\s/]/.test(value);

/**
 * The values of a credential's variables that nobody may read in an error, an item or a log. The others stay readable:
 * an error that names the PATH it searched helps only if it shows it, and a masked `production` would put holes into
 * every path.
 */
export const secretValues = (environment: readonly { name: string; value: string }[]): string[] =>
  environment
    .filter(({ name, value }) => secretName.test(name) || looksSecret(value.trim()))
    .map(({ value }) => value);

/** As it appears in an address; half a character has no such form. */
function urlEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A value as it may be printed: as it is, trimmed, line by line, and in an address. */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= shortestLine);
  const plain = [value, value.trim(), ...lines];
  return [...plain, ...plain.map(urlEncoded)];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const longestFirst = (texts: readonly string[]): string[] =>
  [...new Set(texts)].filter((text) => text.length >= shortestSecret).sort((a, b) => b.length - a.length);

/**
 * JSON text with each of its string literals replaced. Step by step: one pattern for a whole literal overflows its stack
 * at some MB (measured).
 */
function replaceLiterals(json: string, replace: (literal: string) => string): string {
  const parts: string[] = [];
  const sign = /["\\]/g;
  let start: number | undefined;
  let done = 0;
  for (let found = sign.exec(json); found; found = sign.exec(json)) {
    if (found[0] === '\\') sign.lastIndex += 1;
    else if (start === undefined) start = found.index;
    else {
      const end = sign.lastIndex;
      parts.push(json.slice(done, start), replace(json.slice(start, end)));
      done = end;
      start = undefined;
    }
  }
  return parts.join('') + json.slice(done);
}

/**
 * Takes the credential's values out of texts that people see. Without secrets everything passes untouched, at no cost.
 * A value that Chord itself cuts, splits or encodes in other ways than JSON and addresses do is not recognised.
 */
export class SecretMask {
  /** Every spelling, the longest first, so that a secret that begins with another one is masked whole. */
  private readonly secrets: readonly string[];

  private readonly plain: RegExp;

  /** For texts with backslashes: every character of a secret may be escaped, also several times. */
  private readonly escaped: RegExp;

  constructor(values: readonly string[]) {
    const raw = longestFirst(values.flatMap(spellings));
    this.secrets = longestFirst([...raw, ...raw.map(inJson)]);
    this.plain = plainPattern(this.secrets);
    this.escaped = escapedPattern(raw);
  }

  /** The mask of a credential's environment. */
  static of({ environment }: { environment: readonly { name: string; value: string }[] }): SecretMask {
    return new SecretMask(secretValues(environment));
  }

  /** Nothing is masked. */
  get isEmpty(): boolean {
    return this.secrets.length === 0;
  }

  /** The text without secrets. */
  mask(text: string): string {
    return this.isEmpty ? text : text.replace(this.patternFor(text), mask);
  }

  /** JSON text without secrets, otherwise as it was written: numbers are not rounded, and it stays JSON. */
  maskJson(text: string): string {
    if (this.isEmpty || this.mask(text) === text) return text;
    if (parsed(text) === undefined) return this.mask(text);
    return replaceLiterals(text, (found) => {
      const value = JSON.parse(found) as string;
      const masked = this.mask(value);
      return masked === value ? found : JSON.stringify(masked);
    });
  }

  /** Takes the secrets out of plain data, names of fields included, in place: for data that nobody else has. */
  maskInPlace(data: unknown): void {
    if (this.isEmpty) return;
    // Not by recursion: what comes from outside may nest deeper than calls can.
    const open = [data];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node === 'object' && node !== null) {
        this.maskNames(node as Record<string, unknown>);
        for (const [name, value] of Object.entries(node)) {
          if (typeof value === 'string') (node as Record<string, unknown>)[name] = this.mask(value);
          else if (typeof value === 'object' && value !== null) open.push(value);
        }
      }
    }
  }

  /** A copy of plain data without secrets; the data itself where there are none to mask. */
  masked<Data>(data: Data): Data {
    if (this.isEmpty) return data;
    // In a box, so that a bare text is dealt with like any other.
    const box = [structuredClone(data)];
    this.maskInPlace(box);
    return box[0] as Data;
  }

  /**
   * Takes the secrets out of an error and of what caused it, in place: it stays the very same one for those who have
   * noted it. Its session key and request id stay, since answers find their way by them.
   */
  maskError<Thrown>(error: Thrown): Thrown {
    if (this.isEmpty) return error;
    for (let at: unknown = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth += 1) {
      const fields = at as unknown as Record<string, unknown>;
      // The stack repeats the message; errors of the system name a path and the arguments of a command.
      for (const name of Object.getOwnPropertyNames(at)) {
        const value = fields[name];
        if (typeof value === 'string') fields[name] = this.mask(value);
        else if (Array.isArray(value)) this.maskInPlace(value);
      }
      if (ChordError.is(at)) this.maskFacts(at.facts);
    }
    return error;
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
    if (this.isEmpty) return { masked: text, rest: '' };
    const longest = this.secrets[0]?.length ?? 0;
    let certain = Math.max(0, text.length - (longest - 1));
    for (const found of text.matchAll(this.patternFor(text))) {
      if (found.index >= certain) break;
      certain = Math.max(certain, found.index + found[0].length);
    }
    return { masked: this.mask(text.slice(0, certain)), rest: text.slice(certain) };
  }

  private maskFacts(facts: ErrorFacts): void {
    if (facts.description !== undefined) facts.description = this.mask(facts.description);
    if (facts.stderrTail !== undefined) facts.stderrTail = this.mask(facts.stderrTail);
    // A copy: the session's own documents may stand in it.
    if (facts.details !== undefined) facts.details = this.masked(facts.details);
  }

  private patternFor(text: string): RegExp {
    return text.includes('\\') ? this.escaped : this.plain;
  }

  private maskNames(node: Record<string, unknown>): void {
    if (Array.isArray(node) || !Object.keys(node).some((name) => this.mask(name) !== name)) return;
    const fields = Object.entries(node);
    for (const [name] of fields) Reflect.deleteProperty(node, name);
    for (const [name, value] of fields) {
      let free = this.mask(name);
      while (Object.hasOwn(node, free)) free += mask;
      node[free] = value;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
