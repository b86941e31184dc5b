/** Told what became of a call, so that a repeated try of it writes nothing. */
export interface CallNote {
  /** To be called right before the write. */
  written(): void;
  /** It was not written after all. */
  withdrawn(): void;
}

/** For calls that may be repeated. */
export const noNote: CallNote = { written: () => undefined, withdrawn: () => undefined };
