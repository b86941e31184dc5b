import { NodeOperationError, type IDataObject, type INode, type INodeExecutionData } from 'n8n-workflow';
import { ChordError, neutral, type ErrorCode } from '../../../chord';
import { asJson } from '../items/json';

/** Names of the errors with which n8n says that an expression in a parameter cannot be evaluated. */
const expressionErrors = new Set([
  'ExpressionError',
  'ExpressionExtensionError',
  'ExpressionReservedVariableError',
]);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const descriptionOf = (error: unknown): string =>
  error instanceof Error && 'description' in error && typeof error.description === 'string'
    ? error.description
    : '';

/** Any thrown thing as the one error class; what is not ours keeps its words. */
export const asChordError = (error: unknown): ChordError => {
  if (ChordError.is(error)) return error;
  const name = error instanceof Error ? error.name : '';
  const code: ErrorCode =
    expressionErrors.has(name) || error instanceof NodeOperationError ? 'invalid_settings' : 'internal';
  return new ChordError(code, messageOf(error), { description: descriptionOf(error), cause: error });
};

/** The error's facts as plain data: `code`, and whatever is known of session, request, process and turn. */
const errorContext = (error: ChordError): IDataObject => {
  const { sessionKey, requestId, exitCode, signal, stderrTail, details } = error.facts;
  const facts = {
    ...details,
    code: error.code,
    session_key: sessionKey,
    request_id: requestId,
    exit_code: exitCode,
    signal,
    stderr_tail: stderrTail,
  };
  return asJson(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
};

/** What an error says, no part of it markup: it may repeat what Chord said, and people mail it on. */
const wordsOf = ({ message, description }: ChordError): { message: string; description: string } => ({
  message: neutral.prose(message),
  description: neutral.prose(description),
});

/** The error as n8n shows it: message, what to do, and the facts in its context. */
export const nodeError = (node: INode, error: unknown, itemIndex?: number): NodeOperationError => {
  const chordError = asChordError(error);
  const { message, description } = wordsOf(chordError);
  const wrapped = new NodeOperationError(node, chordError, { message, description, itemIndex });
  // n8n replaces a message that contains a word such as ENOENT by a general sentence (read); ours says more.
  wrapped.message = message;
  wrapped.description = description;
  Object.assign(wrapped.context, errorContext(chordError));
  return wrapped;
};

/**
 * A failed item, for "continue on fail". Its json has the one key `error` and the item has none: that is what n8n 1.123
 * and 2.x both move to the error output without losing the code (measured).
 */
export const failedItem = (error: unknown, itemIndex: number): INodeExecutionData => {
  const chordError = asChordError(error);
  return {
    json: { error: { ...errorContext(chordError), ...wordsOf(chordError), code: chordError.code } },
    pairedItem: { item: itemIndex },
  };
};
