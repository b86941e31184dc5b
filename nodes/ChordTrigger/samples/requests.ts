import type {
  ApprovalOffer,
  ChordEvent,
  ConfirmDocument,
  FormOption,
  HandoffDocument,
  QuestionDocument,
  RequestDocument,
} from '../../../chord';

const confirm: ConfirmDocument = {
  kind: 'confirm',
  id: 'r-1',
  tool: 'shell',
  subject: 'git push origin main',
  arguments: { command: 'git push origin main' },
  input: { command: 'git push origin main' },
  asked_because: ['*'],
  needs_approval: ['git push origin main'],
  expires_at: null,
  on_expiry: 'none',
};

const question: QuestionDocument = {
  kind: 'question',
  id: 'q-1',
  header: 'Database',
  question: 'Which database should I use?',
  options: [
    { id: 'PostgreSQL', label: 'PostgreSQL', description: 'A server of its own' },
    { id: 'SQLite', label: 'SQLite', description: 'One file' },
  ],
  default_option: '',
  multiple: false,
  allows_text: true,
  expires_at: null,
  on_expiry: 'none',
};

const handoff: HandoffDocument = {
  kind: 'handoff',
  id: 'h-1',
  plan_path: '.chord/plans/plan-1.md',
  plan: '1. Add the login page\n2. Write its tests',
  plan_error: '',
  agents: [{ name: 'builder', default: true, model_pools: ['default'], current_model_pool: 'default' }],
  expires_at: null,
  on_expiry: 'none',
};

/** The request that the sample of an event carries. */
export const sampleRequests: Readonly<Record<string, RequestDocument>> = {
  confirm_request: confirm,
  question_request: question,
  question_updated: question,
  handoff_request: handoff,
  request_closed: confirm,
};

/** What the form of a sample offers beside the decision. */
export const sampleOffer = (
  { request }: Pick<ChordEvent, 'request'>,
  options: readonly FormOption[],
): ApprovalOffer => {
  const command = request?.kind === 'confirm' ? 'git push origin main' : null;
  return {
    rule: options.includes('remember') ? command : null,
    command: options.includes('edit') ? command : null,
    name: options.includes('name'),
  };
};
