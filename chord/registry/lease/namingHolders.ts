import { ChordError } from '../../errors';

/**
 * Runs a call that is refused where it would disturb somebody. Its refusal then also says who else holds the session:
 * they can tell whether it matters. Any other error stays as it is.
 *
 * @param held who holds the session, two runs of one node by different names
 * @param asking who makes the call, and is not named
 */
export async function namingHolders<Result>(
  held: { readonly holders: string[] },
  asking: string,
  call: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw withHolders(error, othersThan(held.holders, asking));
  }
}

function othersThan(holders: string[], asking: string): string[] {
  const own = holders.indexOf(asking);
  return holders.filter((_, index) => index !== own);
}

function withHolders(error: unknown, others: string[]): unknown {
  if (!ChordError.is(error) || others.length === 0) return error;
  const { facts } = error;
  if (!Array.isArray(facts.details?.reasons)) return error;
  return new ChordError(error.code, `${error.message} Also using the session: ${others.join('; ')}.`, {
    ...facts,
    details: { ...facts.details, held_by: others },
  });
}
