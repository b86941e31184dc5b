import { MAIN_ID } from '../../agent/Telling';
import type { Config } from '../../config/loadConfig';
import type { Asker, Question } from '../questions';

/** How a durable question ended. */
export type Outcome =
  | 'answered'
  | 'defaulted'
  | 'declined'
  | 'no_response'
  | 'superseded'
  | 'cancelled'
  | 'error';

/** A later answer to a closed question. */
interface Revision {
  question_id: string;
  result_id?: string;
  header: string;
  selected?: string[];
  selected_ids?: string[];
  outcome: Outcome;
}

/** A question that outlives the process: what the session remembers of it. */
export interface Durable {
  id: string;
  asked: Question;
  agentId: string;
  taskId: string;
  scope: string;
  version: number;
  timer: 'disabled' | 'awaiting_presentation' | 'armed' | 'cancelled' | 'suspended';
  /** Seconds from presentation to the end; 0 without a clock. */
  seconds: number;
  deadline?: string;
  /** It was told: the second question of a call is told when the first one is answered. */
  visible: boolean;
  /** The questions of its tool call, in order. */
  batch: string[];
  reason?: Outcome;
  resultId?: string;
  selected?: string[];
  selectedIds?: string[];
  revision?: Revision;
  /** Its requirement was withdrawn, or another question stands for it. */
  released?: boolean;
}

/** A question that was asked and is not told yet; what it allows says which clock it will have. */
export function newQuestion(facts: {
  id: string;
  asked: Question;
  asker: Asker;
  scope: string;
  batch: string[];
  config: Config;
}): Durable {
  const { id, asked, asker, scope, batch, config } = facts;
  const seconds = {
    user_required: 0,
    default_allowed: config.questionAutoSelectTimeout,
    optional: config.questionTimeout,
  }[asked.policy];
  return {
    id,
    asked,
    agentId: asker.agentId || MAIN_ID,
    taskId: asker.taskId,
    scope,
    version: 1,
    timer: seconds > 0 ? 'awaiting_presentation' : 'disabled',
    seconds,
    visible: false,
    batch,
  };
}

/** Whether a person still has to act before the agent may go on. */
export function isUnmet(question: Durable): boolean {
  if (question.asked.policy !== 'user_required' || question.released || question.revision) return false;
  return question.reason === undefined ? question.visible : question.reason === 'declined';
}

/** The question object of the wire; fields that are empty are left out where Chord leaves them out. */
export function onWire(question: Durable, bindingId: string): Record<string, unknown> {
  const { asked } = question;
  const withOptions = asked.options.length > 0;
  return {
    binding_id: bindingId,
    task_id: question.taskId,
    request_scope_id: question.scope,
    version: question.version,
    response_policy: asked.policy,
    timer: question.timer,
    tool_name: 'question',
    question: asked.question,
    options: withOptions ? asked.options.map((option) => option.label) : null,
    request_id: question.id,
    agent_id: question.agentId,
    ...(asked.header ? { header: asked.header } : {}),
    ...(withOptions ? { option_ids: asked.options.map((option) => option.id) } : {}),
    ...(asked.options.some((option) => option.description)
      ? { option_details: asked.options.map((option) => option.description) }
      : {}),
    ...(asked.multiple ? { multiple: true } : {}),
    ...(asked.defaultOption ? { default_option_id: asked.defaultOption } : {}),
    ...(question.seconds > 0 ? { duration_seconds: question.seconds } : {}),
    ...(question.timer === 'armed' ? { deadline: question.deadline } : {}),
    ...(question.reason ? { reason: question.reason } : {}),
    ...(question.resultId ? { result_id: question.resultId } : {}),
    ...(question.selected?.length ? { selected: question.selected } : {}),
    ...(question.selectedIds?.length ? { selected_ids: question.selectedIds } : {}),
    ...(question.revision ? { revision_result: question.revision } : {}),
  };
}
