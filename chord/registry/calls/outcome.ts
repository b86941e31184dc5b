import { z } from 'zod/v4';
import { errorDocument, errorFrom } from '../../errorDocument';

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
    exitCode: z.number().nullable().optional(),
    signal: z.string().nullable().optional(),
    stderrTail: z.string().optional(),
    audited: z.boolean().optional(),
  }),
]);

/** How a call ended. */
export type CallOutcome = z.infer<typeof outcomeSchema>;

/** What a call came to, as plain data. Never rejects. */
export const outcomeOf = (call: Promise<unknown>): Promise<CallOutcome> =>
  call.then(
    (value): CallOutcome => ({ kind: 'value', value }),
    (error: unknown): CallOutcome => ({ kind: 'error', ...errorDocument(error) }),
  );

/**
 * Gives the value of a call that went well.
 *
 * @throws ChordError what it failed with
 */
export function valueOf(outcome: CallOutcome): unknown {
  if (outcome.kind === 'value') return outcome.value;
  const { kind: _kind, ...document } = outcome;
  throw errorFrom(document);
}
