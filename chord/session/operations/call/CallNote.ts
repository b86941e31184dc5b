/** Told what becomes of a call, so that a repeated try of it writes nothing. */
export interface CallNote {
  /**
   * To be awaited before the write, after which the state of the session has to be looked at anew: from then on the call
   * counts as written even if this process is killed.
   *
   * @throws ChordError when it must not be written any more
   */
  ready(): Promise<void>;
  /** To be called right before the write. */
  written(): void;
  /** It is not written now, or was not written after all. */
  withdrawn(): void;
}

/** For calls that may be repeated. */
export const noNote: CallNote = {
  ready: () => Promise.resolve(),
  written: () => undefined,
  withdrawn: () => undefined,
};
