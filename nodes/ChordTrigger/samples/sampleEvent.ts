import { catalogEntry, requestTexts, textsOf, type ChordEvent, type SessionDocument } from '../../../chord';
import { sampleSessionKey } from '../../shared/upstream/sampleSession';
import { mainAgent, subAgent } from './agents';
import { samples } from './payloads';
import { sampleRequests } from './requests';
import { sampleTurn } from './turn';

const session: SessionDocument = {
  key: sampleSessionKey,
  id: '20260105103000123',
  name: 'default',
  project_directory: '/home/me/project',
  role: 'builder',
};

/** Events that only come from a SubAgent. */
const ofSubAgents = new Set(['agent_started', 'agent_notify', 'agent_done']);

/** An example of an event, shaped as a real one, for building a workflow without a running Chord. */
export const sampleEvent = (name: string): ChordEvent => {
  const entry = catalogEntry(name);
  const { payload, text } = samples[name] ?? { payload: {}, text: name };
  const request = sampleRequests[name];
  return {
    event: name,
    category: entry?.category ?? 'state',
    ...(request && name !== 'request_closed' ? requestTexts(request, payload) : textsOf(text)),
    session,
    ...(request && { request }),
    ...(name === 'request_closed' && { reason: 'expired' }),
    ...(name === 'turn_finished' && sampleTurn),
    agent: ofSubAgents.has(name) ? subAgent : mainAgent,
    seq: entry?.own === false ? 12 : null,
    received_at: '2026-01-05T10:30:00.000Z',
    payload,
  };
};
