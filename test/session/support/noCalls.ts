import type { CallKeeper } from '../../../chord/session/core/SessionHost';

/** Keeps no calls, as if this process were the only one that ever was. */
export const noCalls: CallKeeper = {
  earlier: () => undefined,
  stillWanted: () => Promise.resolve(),
  writing: () => Promise.resolve(),
  withdrawn: () => undefined,
  ended: () => undefined,
};
