/** What a sample shows of an event: Chord's payload, or the facts of an own event, and its text for people. */
export interface Sample {
  payload: Record<string, unknown>;
  text: string;
}

const subAgent = {
  agent_id: 'tester-1',
  task_id: 'task-1',
  agent_type: 'tester',
  parent_agent_id: 'main',
};

const transfer = (text: string): Sample => ({ payload: { session_id: '20260105103000123' }, text });

const question = {
  request_id: 'q-1',
  tool_name: 'question',
  header: 'Database',
  question: 'Which database should I use?',
  options: ['PostgreSQL', 'SQLite'],
  option_details: ['A server of its own', 'One file'],
  multiple: false,
  agent_id: '',
};

/** One sample for each event of the catalog. */
export const samples: Readonly<Record<string, Sample>> = {
  confirm_request: {
    payload: {
      request_id: 'r-1',
      tool_name: 'shell',
      args_json: '{"command":"git push origin main"}',
      needs_approval: ['git push origin main'],
      already_allowed: [],
      needs_approval_rules: ['*'],
      already_allowed_rules: [],
      timeout_ms: 0,
      done_report: '',
      done_reason: '',
    },
    text: 'Chord wants to run shell: git push origin main',
  },
  question_request: { payload: question, text: 'Which database should I use?' },
  question_updated: { payload: { ...question, version: 2 }, text: 'Which database should I use?' },
  handoff_request: {
    payload: {
      request_id: 'h-1',
      plan_path: '.chord/plans/plan-1.md',
      plan_text: '1. Add the login page\n2. Write its tests',
      agents: [{ name: 'builder', default: true, model_pools: ['default'], current_model_pool: 'default' }],
    },
    text: '1. Add the login page\n2. Write its tests',
  },
  request_closed: {
    payload: { reason: 'expired' },
    text: 'Nobody answered in time: shell: git push origin main',
  },
  turn_finished: { payload: {}, text: 'All tests pass now. I fixed the date parser.' },
  background_result: {
    payload: {
      session_id: '20260105103000123',
      target_agent_id: 'main',
      message_index: 12,
      content: 'Job job-1 has ended.',
    },
    text: 'Job job-1 has ended.',
  },
  done_completion: {
    payload: {
      call_id: 'call-1',
      report: 'The login page is done.',
      reason: '',
      status: 'success',
      agent_id: '',
      mode: 'loop',
    },
    text: 'The login page is done.',
  },
  image_result: {
    payload: { call_id: 'call-2', agent_id: '', status: 'success', result: '{"images":[]}' },
    text: 'An image is finished.',
  },
  local_shell_result: {
    payload: { command: 'git status --short', output: ' M README.md\n', failed: false },
    text: ' M README.md\n',
  },
  assistant_message: {
    payload: {
      agent_id: '',
      task_id: '',
      agent_type: '',
      parent_agent_id: '',
      text: 'I will look at the failing test first.',
      tool_calls: 1,
    },
    text: 'I will look at the failing test first.',
  },
  notification: {
    payload: { reason: 'user_input_required', message: 'Chord needs your input.' },
    text: 'Chord needs your input.',
  },
  error: {
    payload: { agent_id: 'main-1', message: 'The model did not answer.' },
    text: 'The model did not answer.',
  },
  info: { payload: { agent_id: '', message: 'Model pool: default' }, text: 'Model pool: default' },
  toast: {
    payload: { agent_id: 'main-1', level: 'info', message: 'Background job job-1 finished' },
    text: 'Background job job-1 finished',
  },
  context_notice: {
    payload: {
      session_id: '20260105103000123',
      level: 'warning',
      message: 'The conversation is getting long.',
      message_index: 80,
    },
    text: 'The conversation is getting long.',
  },
  agent_started: {
    payload: { ...subAgent, previous_agent_id: '', description: 'Run all tests', parent_task_id: 'main' },
    text: 'Run all tests',
  },
  agent_notify: {
    payload: {
      ...subAgent,
      target_agent_id: 'main',
      target_task_id: 'main',
      kind: 'progress',
      message: 'Half of the tests have run.',
    },
    text: 'Half of the tests have run.',
  },
  agent_done: { payload: { ...subAgent, summary: 'All 120 tests pass.' }, text: 'All 120 tests pass.' },
  activity: {
    payload: { agent_id: 'main', type: 'executing', detail: '2 tools' },
    text: 'executing: 2 tools',
  },
  idle: {
    payload: { last_outcome: 'completed', suppress_user_notification: false, running_jobs: 0 },
    text: 'Chord has gone idle.',
  },
  todos: {
    payload: {
      todos: [
        {
          id: '1',
          content: 'Fix the date parser',
          status: 'in_progress',
          active_form: 'Fixing the date parser',
        },
      ],
    },
    text: 'Fixing the date parser',
  },
  role_change: { payload: { role: 'planner' }, text: 'planner' },
  session_switched: { payload: { session_id: '20260105103000123' }, text: '20260105103000123' },
  workdir_changed: {
    payload: { path: '/home/me/project/api', worktree_id: '', generation: 2 },
    text: '/home/me/project/api',
  },
  compaction_status: {
    payload: { status: 'succeeded', trigger: 'manual', reason: '', plan_id: 'p-1', synthetic: false },
    text: 'succeeded',
  },
  question_resolved: { payload: { request_id: 'q-1', reason: 'answered' }, text: 'answered' },
  confirm_resolved: { payload: { request_id: 'r-1', reason: 'approved' }, text: 'approved' },
  handoff_cancelled: { payload: { request_id: 'h-1', reason: 'superseded' }, text: 'superseded' },
  input_result: { payload: { request_id: 'in-1', status: 'started', turn_id: 3 }, text: 'started' },
  input_queue_changed: { payload: { view_version: 4, entries: [] }, text: 'No message waits.' },
  mcp_status_changed: {
    payload: { servers: [{ name: 'docs', status: 'connected' }] },
    text: 'docs: connected',
  },
  assistant_rollback: { payload: { agent_id: '', reason: 'retry' }, text: 'retry' },
  session_transfer_preparing: transfer('The session is about to move to another client.'),
  session_transfer_status: transfer('The session waits for running work to end.'),
  session_transfer_saved: transfer('The session is saved for another client.'),
  session_transfer_released: transfer('The session has moved to another client.'),
  still_working: {
    payload: { elapsed_seconds: 300, phase: 'running tools' },
    text: 'Chord has worked for 5 minutes.',
  },
  process_exited: {
    payload: { exit_code: 1, signal: null, stderr_tail: '', restart: 'planned', restart_in_ms: 1000 },
    text: 'Chord ended unexpectedly with exit code 1. It is started again in 1 s.',
  },
  process_restarted: { payload: { session_id: '20260105103000123' }, text: 'Chord was started again.' },
  protocol_error: {
    payload: { reason: 'not_json', line: 'Welcome!' },
    text: 'Chord wrote a line that could not be read: Welcome!',
  },
};
