import { ChordError, errorCodes, type ErrorCode, type ErrorFacts } from './errors';

/** A {@link ChordError} as plain data: for the disk, and for a wire. Its cause stays behind. */
export interface ErrorDocument extends Omit<ErrorFacts, 'cause' | 'description'> {
  code: string;
  message: string;
  description: string;
}

/** An error as plain data. A foreign one may contain anything, secrets too, so only the fact that it occurred is kept. */
export function errorDocument(error: unknown): ErrorDocument {
  if (!ChordError.is(error)) {
    return {
      code: 'internal',
      message: 'The call failed because of an error in this package.',
      description: '',
    };
  }
  const { cause: _cause, ...facts } = error.facts;
  return { ...facts, code: error.code, message: error.message, description: error.description };
}

/** The error from such data; a code that this version does not know becomes `internal`. */
export function errorFrom({ code, message, ...facts }: ErrorDocument): ChordError {
  const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'internal';
  return new ChordError(known, message, facts);
}
