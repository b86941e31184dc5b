import { ChordError } from '../errors';

/** Everybody who holds a session but the one who asks; two runs of one node have different names. */
export const othersThan = (holders: string[], asking: string): string[] => {
  const own = holders.indexOf(asking);
  return holders.filter((_, index) => index !== own);
};

/**
 * The error with which something is refused since it would disturb somebody, with who holds the session: those can
 * say whether it matters. Any other error stays as it is.
 *
 * @param others who holds the session beside the one who asks
 */
export function namingHolders(error: unknown, others: string[]): unknown {
  if (!ChordError.is(error) || others.length === 0) return error;
  const { facts } = error;
  if (!Array.isArray(facts.details?.reasons)) return error;
  return new ChordError(error.code, `${error.message} The session is also held by: ${others.join('; ')}.`, {
    ...facts,
    details: { ...facts.details, held_by: others },
  });
}
