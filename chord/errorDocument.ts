import { ChordError, errorCodes, type ErrorCode, type ErrorFacts } from './errors';

/** A {@link ChordError} as plain data: for the disk, and for a wire. Its cause stays behind. */
export interface ErrorDocument extends Omit<ErrorFacts, 'cause' | 'description'> {
  code: string;
  message: string;
  description: string;
}

/** An error as plain data. One that is not ours may hold anything, so it is only said that there was one. */
export function errorDocument(error: unknown): ErrorDocument {
  if (!ChordError.is(error)) {
    return { code: 'internal', message: 'The call ended with a fault of this package.', description: '' };
  }
  const { cause: _cause, ...facts } = error.facts;
  return { ...facts, code: error.code, message: error.message, description: error.description };
}

/** The error that such data was made of; a code of another version is `internal`. */
export function errorFrom({ code, message, ...facts }: ErrorDocument): ChordError {
  const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'internal';
  return new ChordError(known, message, facts);
}
