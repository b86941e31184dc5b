/**
 * One thing that the simulator did or was told: what it granted, what it ran, what it read.
 *
 * Tests judge by this, not by what the package says about itself.
 */
export type RecordEntry =
  | { kind: 'stdin'; line: string }
  | { kind: 'input'; content: string; request_id: string; status: string }
  | {
      kind: 'confirm';
      request_id: string;
      tool: string;
      outcome: 'allowed' | 'denied' | 'expired' | 'cancelled' | 'superseded';
      reason: string;
      arguments: string;
      rule?: { pattern: string; scope: string };
    }
  | { kind: 'question'; request_id: string; outcome: string; answers: string[] }
  | {
      kind: 'handoff';
      request_id: string;
      outcome: 'approved' | 'denied' | 'cancelled' | 'superseded';
      agent: string;
      pool: string;
      reason: string;
    }
  | {
      kind: 'tool';
      call_id: string;
      name: string;
      arguments: string;
      agent_id: string;
      status: 'ran' | 'refused';
    }
  | { kind: 'local_shell'; command: string }
  | { kind: 'session'; session_id: string; how: 'started' | 'resumed' | 'switched' }
  | { kind: 'end'; reason: string };

/** Takes entries as they happen. */
export type Recorder = (entry: RecordEntry) => void;
