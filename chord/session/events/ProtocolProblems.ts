import type { ProtocolProblem } from '../../process';
import type { LedgerEntry } from '../state/Ledger';

/** What the problems need of the session around them. */
export interface ProtocolProblemsDeps {
  announce(event: string, facts: Record<string, unknown>, summary: string): void;
}

/** What of Chord's output could not be read: counted for diagnostics, and published. */
export class ProtocolProblems {
  private noted = 0;

  private latest: ProtocolProblem | null = null;

  constructor(private readonly deps: ProtocolProblemsDeps) {}

  get count(): number {
    return this.noted;
  }

  get last(): ProtocolProblem | null {
    return this.latest;
  }

  note(problem: ProtocolProblem): void {
    this.noted += 1;
    this.latest = problem;
    const { reason, type, request_id: id } = problem;
    const named = type === undefined ? 'a line' : id === undefined ? type : `${type} ${id}`;
    const what =
      reason === 'arguments_unreadable'
        ? 'whose arguments could only be shown as text'
        : 'that could not be read';
    this.deps.announce('protocol_error', { ...problem }, `Chord wrote ${named} ${what}: ${problem.sample}`);
  }

  /** Notes arguments that should be JSON but were taken as text: the person sees them, and it is said once. */
  noteArguments({ request }: LedgerEntry): void {
    if (request.kind !== 'confirm' || typeof request.arguments !== 'string') return;
    const source = request.arguments;
    if (!/^\s*[{[]/.test(source)) return;
    this.note({
      reason: 'arguments_unreadable',
      type: 'confirm_request',
      request_id: request.id,
      sample: source.slice(0, 200),
      bytes: Buffer.byteLength(source),
    });
  }
}
