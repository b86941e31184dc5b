/** What an event is about. `decision` is for a person to answer. */
export type EventCategory = 'decision' | 'result' | 'message' | 'agent' | 'state' | 'process';

/** One event in plain English. Nodes and documentation are made from this list. */
export interface CatalogEntry {
  /** The protocol's name, or our own. */
  name: string;
  label: string;
  category: EventCategory;
  /** One sentence for people who do not program. */
  description: string;
  /** Ours: Chord does not send it. */
  own: boolean;
}

const entry =
  (category: EventCategory, own = false) =>
  (name: string, label: string, description: string): CatalogEntry => ({
    name,
    label,
    category,
    description,
    own,
  });

const decision = entry('decision');
const result = entry('result');
const message = entry('message');
const agent = entry('agent');
const state = entry('state');
const ownResult = entry('result', true);
const ownState = entry('state', true);
const ownProcess = entry('process', true);

/** Every event that a trigger can be set to, in the order in which people look for them. */
export const catalog: readonly CatalogEntry[] = [
  decision('confirm_request', 'Approval Requested', 'Chord asks before it runs a tool.'),
  decision('question_request', 'Question Asked', 'Chord needs an answer to continue.'),
  decision('handoff_request', 'Plan Ready for Handoff', 'Chord has a plan and asks who should carry it out.'),
  entry('decision', true)('request_closed', 'Request Closed', 'A request ended without an answer from n8n.'),
  ownResult('turn_finished', 'Work Finished', 'Chord has finished its work and reports on it.'),
  result('background_result', 'Background Job Finished', 'A job that ran in the background has ended.'),
  result('done_completion', 'Report', 'The agent reports that its task is done.'),
  result('image_result', 'Image Finished', 'Chord has created an image, or failed to.'),
  result('local_shell_result', 'Shell Command Finished', 'A local shell command has ended.'),
  message('assistant_message', 'Message', 'The agent or one of its SubAgents wrote something.'),
  message('notification', 'Notification', 'Chord asks for attention.'),
  message('error', 'Error', 'Chord reports an error.'),
  message('info', 'Info', 'Chord mentions something in passing.'),
  message('toast', 'Short Notice', 'Chord shows a short notice.'),
  message('context_notice', 'Context Notice', 'The conversation is getting too long for the model.'),
  agent('agent_started', 'SubAgent Started', 'A SubAgent has started its task.'),
  agent('agent_notify', 'SubAgent Progress', 'A SubAgent reports progress.'),
  agent('agent_done', 'SubAgent Finished', 'A SubAgent has finished its task.'),
  state('activity', 'Activity', 'What Chord is doing at the moment. Very frequent.'),
  state('idle', 'Idle', 'Chord has gone idle.'),
  ownState('still_working', 'Still Working', 'Chord has been working on something longer than usual.'),
  state('todos', 'To-do List Changed', "The agent's to-do list changed."),
  state('role_change', 'Role Changed', 'Another role is active.'),
  state('session_switched', 'Session Switched', 'Chord now works in another session.'),
  state('workdir_changed', 'Working Directory Changed', 'Chord now works in another directory.'),
  state('compaction_status', 'Conversation Shortened', 'Chord shortens the conversation to make room.'),
  state(
    'question_updated',
    'Question Updated',
    'An open question changed, or an answered one was corrected.',
  ),
  state('question_resolved', 'Question Closed', 'A question was answered or ended.'),
  state('confirm_resolved', 'Approval Closed', 'An approval request was answered or ended.'),
  state('handoff_cancelled', 'Handoff Cancelled', 'A handoff was superseded by something else.'),
  state('input_result', 'Message Received', 'Chord reports what it does with a message.'),
  state('input_queue_changed', 'Input Queue Changed', 'The messages waiting for Chord have changed.'),
  state('mcp_status_changed', 'MCP Status Changed', 'A tool server was connected or lost.'),
  state('assistant_rollback', 'Text Withdrawn', 'Chord withdrew text it was still writing.'),
  state(
    'session_transfer_preparing',
    'Transfer Preparing',
    'The session is about to move to another client.',
  ),
  state('session_transfer_status', 'Transfer Status', 'How far the move to another client has progressed.'),
  state('session_transfer_saved', 'Transfer Saved', 'The session is saved for another client.'),
  state('session_transfer_released', 'Transfer Released', 'The session has moved to another client.'),
  ownProcess('process_exited', 'Chord Ended', 'The Chord process ended unexpectedly.'),
  ownProcess(
    'process_restarted',
    'Chord Restarted',
    'The Chord process was started again after it had ended.',
  ),
  ownProcess('protocol_error', 'Unreadable Output', 'Chord wrote a line that could not be read.'),
];

const byName = new Map(catalog.map((item) => [item.name, item]));

/** The catalog's entry of an event, or `undefined` for one that we do not know yet. */
export const catalogEntry = (name: string): CatalogEntry | undefined => byName.get(name);

/** A trigger's presets: which events each one includes. `everything` includes unknown ones too. */
export type Preset = 'decisions' | 'results' | 'essentials' | 'chat' | 'everything';

/** A `question_updated` that asks again is raised as `question_request`. */
const decisions = ['confirm_request', 'question_request', 'handoff_request'];
const results = ['turn_finished', 'background_result'];
const processEvents = ['process_exited', 'process_restarted', 'protocol_error'];
const transfers = [
  'session_transfer_preparing',
  'session_transfer_status',
  'session_transfer_saved',
  'session_transfer_released',
];

/**
 * The events of each preset. `essentials` has no `assistant_message` and no `done_completion`, since they stand in the
 * turn, and nothing is reported twice. `chat` is what Chord's own gateway shows in a chat: messages and reports as they
 * come, instead of `turn_finished`.
 */
export const presets: Readonly<Record<Preset, readonly string[] | 'all'>> = {
  decisions,
  results,
  essentials: [
    ...decisions,
    ...results,
    'request_closed',
    'error',
    'notification',
    'agent_done',
    'image_result',
    'local_shell_result',
    'mcp_status_changed',
    ...transfers,
    'still_working',
    ...processEvents,
  ],
  chat: [
    ...decisions,
    'request_closed',
    'assistant_message',
    'done_completion',
    'background_result',
    'agent_done',
    'error',
    'notification',
    'image_result',
    'local_shell_result',
    'mcp_status_changed',
    ...transfers,
    'still_working',
    ...processEvents,
  ],
  everything: 'all',
};
