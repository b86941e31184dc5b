import { z } from 'zod/v4';
import { ChordError, errorCodes, type ErrorCode } from '../../errors';

/** How a call ended, as it is kept on the disk. */
export const outcomeSchema = z.union([
  z.object({ kind: z.literal('value'), value: z.unknown() }),
  z.object({
    kind: z.literal('error'),
    code: z.string(),
    message: z.string(),
    description: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    sessionKey: z.string().optional(),
    requestId: z.string().optional(),
  }),
]);

/** How a call ended. */
export type CallOutcome = z.infer<typeof outcomeSchema>;

const failed = (error: unknown): CallOutcome => {
  const known = ChordError.is(error) ? error : undefined;
  return {
    kind: 'error',
    code: known?.code ?? 'internal',
    message: known?.message ?? 'The call ended with a fault of this package.',
    description: known?.description ?? '',
    ...(known?.facts.details && { details: known.facts.details }),
    ...(known?.facts.sessionKey !== undefined && { sessionKey: known.facts.sessionKey }),
    ...(known?.facts.requestId !== undefined && { requestId: known.facts.requestId }),
  };
};

/** What a call came to, as plain data. Never rejects. */
export const outcomeOf = (call: Promise<unknown>): Promise<CallOutcome> =>
  call.then((value): CallOutcome => ({ kind: 'value', value }), failed);

/**
 * Gives the value of a call that went well.
 *
 * @throws ChordError what it failed with
 */
export function valueOf(outcome: CallOutcome): unknown {
  if (outcome.kind === 'value') return outcome.value;
  const code: ErrorCode = Object.hasOwn(errorCodes, outcome.code) ? (outcome.code as ErrorCode) : 'internal';
  throw new ChordError(code, outcome.message, {
    description: outcome.description,
    ...(outcome.details && { details: outcome.details }),
    ...(outcome.sessionKey !== undefined && { sessionKey: outcome.sessionKey }),
    ...(outcome.requestId !== undefined && { requestId: outcome.requestId }),
  });
}
