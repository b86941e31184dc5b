/** A failure that a person can do something about: printed as two sentences, without a stack trace. */
export class Problem extends Error {
  /** What the person can do, one sentence or a few lines. */
  readonly cure: string;

  constructor(message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Problem';
    this.cure = cure;
  }
}

/** What to print of any error that ends the demo or a test run. */
export function describeProblem(error: unknown): string {
  if (error instanceof Problem) return `${error.message}\n  ${error.cure.replaceAll('\n', '\n  ')}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
