import { ChordError } from '../../../chord';
import { isRecord } from '../items/isRecord';

/** Gives the evaluated value of a node's parameter, or the fallback where it is not set. */
export type ReadValue = (name: string, fallback: unknown) => unknown;

/**
 * Parameters as typed values. Expressions can give anything, so each value is checked here, once, before a node acts
 * on it: a wrong one is an error that names the parameter, never a guess.
 */
export class ParameterReader {
  constructor(private readonly read: ReadValue) {}

  /** Text as it stands; numbers and booleans become text. */
  text(name: string, fallback = ''): string {
    const value = this.read(name, fallback) ?? fallback;
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.invalid(name, 'must be text');
  }

  /** What was chosen from a list or typed (`resourceLocator`), without outer blanks; a plain text counts as typed. */
  locator(name: string): string {
    const value = this.read(name, '') ?? '';
    const chosen = isRecord(value) && '__rl' in value ? (value.value ?? '') : value;
    if (typeof chosen === 'string' || typeof chosen === 'number') return String(chosen).trim();
    throw this.invalid(name, 'must be a name or an ID');
  }

  /** Text, or anything else as JSON: for fields that take JSON. */
  json(name: string): string {
    const value = this.read(name, '') ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** One of a fixed list of words. */
  choice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const value = this.read(name, words[0]) ?? words[0];
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    throw this.invalid(name, `must be one of ${words.join(', ')}`);
  }

  /** Yes or no; the words `true` and `false` count, since expressions often give text. */
  flag(name: string, fallback = false): boolean {
    const value = this.read(name, fallback) ?? fallback;
    if (typeof value === 'boolean') return value;
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw this.invalid(name, 'must be true or false');
  }

  /**
   * A number of at least 0.
   *
   * @param rule what is expected, as an error says it
   */
  number(name: string, fallback = 0, rule = 'must be a number, 0 or more'): number {
    const value = this.read(name, fallback) ?? fallback;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
    throw this.invalid(name, rule);
  }

  /** Several words: a list, or text with one a line or with commas between. */
  list(name: string): string[] {
    const value = this.read(name, []) ?? [];
    const parts = typeof value === 'string' ? value.split(/[\n,]/) : value;
    if (!Array.isArray(parts) || parts.some((part) => typeof part !== 'string')) {
      throw this.invalid(name, 'must be a list of words');
    }
    return parts.map((part: string) => part.trim()).filter((part) => part !== '');
  }

  /** The value as it is. */
  raw(name: string): unknown {
    return this.read(name, undefined);
  }

  /** The fields of a collection such as Options. */
  collection(name: string): ParameterReader {
    const value = this.read(name, {}) ?? {};
    if (!isRecord(value)) throw this.invalid(name, 'must be a group of options');
    return new ParameterReader((field, fallback) => value[field] ?? fallback);
  }

  private invalid(name: string, rule: string): ChordError {
    return new ChordError('invalid_settings', `The parameter "${name}" ${rule}.`, {
      description: 'Check the value or the expression that provides it.',
    });
  }
}
