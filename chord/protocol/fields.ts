import { z } from 'zod/v4';

/**
 * Fields of inbound payloads. Chord is before 1.0 and its fields come and go: a missing or odd field reads as empty
 * instead of failing the whole envelope, whose original always travels on untouched.
 */

/** Text; anything else reads as empty. */
export const text = z.string().catch('');

/** A truth value; anything else reads as false. */
export const flag = z.boolean().catch(false);

/** A number; anything else reads as 0. */
export const count = z.number().catch(0);

/** A number that may be absent: `null` then, since 0 would claim a fact. */
export const maybeCount = z.number().nullable().catch(null);

/** A list of texts; `null`, absent and odd ones read as empty. */
export const texts = z.array(z.string()).catch([]);

/** The time fields of a working directory and the like, kept whole. */
export const anything = z.unknown();
