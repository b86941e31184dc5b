import type { ChordEvent } from '../../../chord';
import { mainAgent } from './agents';

/** What `turn_finished` holds beside its text: a whole turn, as Chord Send returns it. */
export const sampleTurn: Required<Pick<ChordEvent, 'outcome' | 'turn' | 'usage'>> = {
  outcome: 'completed',
  turn: {
    messages: [{ agent: mainAgent, text: 'All tests pass now. I fixed the date parser.' }],
    reports: [],
    subagents: [],
    background_results: [],
    images: [],
    warnings: [],
    errors: [],
    requests: [],
    last_outcome: 'completed',
    tool_calls: { main: 4, subagents: 0 },
    retries: 0,
    running_jobs: 0,
    started_at: '2026-01-05T10:30:00.000Z',
    ended_at: '2026-01-05T10:31:30.000Z',
    duration_ms: 90_000,
  },
  usage: { input_tokens: 12_000, output_tokens: 900, cost_usd: 0.05 },
};
