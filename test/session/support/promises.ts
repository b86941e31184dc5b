import { ChordError } from '../../../chord/errors';
import { settle } from '../../support/settle';

export { settle };

/** The error that a call ends with; fails where it does not. */
export async function failure(promise: Promise<unknown>): Promise<ChordError> {
  const outcome = await promise.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`It went well: ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof ChordError)) throw outcome.error;
  return outcome.error;
}

/** Whether a call still waits, once everything has come to rest. */
export async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  promise.then(end, end);
  await settle();
  return !over;
}
