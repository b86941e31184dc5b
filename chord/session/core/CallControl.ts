/** Ends a call from outside, e.g. when n8n stops its execution. */
export interface CallControl {
  signal?: AbortSignal;
}
