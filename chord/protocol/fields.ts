import { z } from 'zod/v4';

/**
 * Fields of inbound payloads. Chord is before 1.0 and its fields come and go: a missing or odd field reads as empty
 * instead of failing the whole envelope, whose original always travels on untouched. Plain transforms: schemas with
 * `default` and `catch` read three times as slowly (measured), and every event passes here.
 */
const reads = <Value>(isFine: (value: unknown) => value is Value, otherwise: Value) =>
  z.transform((value: unknown) => (isFine(value) ? value : otherwise));

const isText = (value: unknown): value is string => typeof value === 'string';

const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Text; anything else reads as empty. */
export const text = reads(isText, '');

/** A truth value; anything else reads as false. */
export const flag = reads((value): value is boolean => typeof value === 'boolean', false);

/** A number; anything else reads as 0. */
export const count = reads(isNumber, 0);

/** A number that may be absent: `null` then, since 0 would claim a fact. */
export const maybeCount = reads<number | null>(isNumber, null);

/** A list of texts; `null`, absent and odd ones read as empty. */
export const texts = z.transform((value: unknown) =>
  Array.isArray(value) && value.every(isText) ? value : [],
);

/** The time fields of a working directory and the like, kept whole. */
export const anything = z.unknown();
