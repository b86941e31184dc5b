import { catalogEntry } from '../protocol/catalog';
import { readEnvelope, type Envelope, type Reading } from '../protocol/envelopes';
import { agentDocument } from './Turn';
import type { RequestDocument } from './contract';
import { chatMessage, cut, messageLength, summaryLength, summaryLine } from './cut';

/** Three texts for people: one line, one for a chat, the whole. */
export interface Texts {
  summary: string;
  message: string;
  text: string;
}

/** Builds all three from the two that differ. */
const texts = (summary: string, whole: string): Texts => ({
  summary: summaryLine(summary),
  message: chatMessage(whole || summary),
  text: whole || summary,
});

/** As much of a text as a summary may need: to put a word before the whole would copy it only to cut it again. */
const start = (text: string): string => text.slice(0, 5 * summaryLength);

/** Builds all three from one text with a word before it. Only the parts that are shown are put together and copied. */
const prefixed = (word: string, said: string): Texts => ({
  summary: summaryLine(word + start(said)),
  message: chatMessage(word + said.trimStart().slice(0, 2 * messageLength)),
  text: word + said,
});

const isText = (value: unknown): value is string => typeof value === 'string';

/** The argument of a tool that says most, e.g. the command or the path. */
function mainArgument(args: unknown): string {
  if (isText(args)) return args;
  if (args === null || typeof args !== 'object') return '';
  const values = args as Record<string, unknown>;
  const named = ['command', 'path', 'paths', 'url', 'plan_path'].map((name) => values[name]).find(Boolean);
  const first = named ?? Object.values(values)[0];
  if (isText(first)) return first;
  return first === undefined ? '' : JSON.stringify(first);
}

/** A call's arguments, one a line; long ones are cut for the chat by the caller. */
const argumentLines = (args: unknown): string =>
  isText(args)
    ? args
    : Object.entries((args ?? {}) as Record<string, unknown>)
        .map(([name, value]) => `${name}: ${isText(value) ? value : JSON.stringify(value)}`)
        .join('\n');

/** What a request says to a person. */
export function requestTexts(request: RequestDocument): Texts {
  switch (request.kind) {
    case 'confirm':
      if (request.report !== undefined) {
        return texts(`Chord reports that it is done: ${start(request.report)}`, request.report);
      }
      return texts(
        `Chord wants to run ${request.tool}: ${mainArgument(request.arguments)}`,
        `Chord wants to run ${request.tool}.\n\n${argumentLines(request.arguments)}`,
      );
    case 'question': {
      const options = request.options.map(
        (option, index) => `${index + 1}. ${option.label}${option.description && ` (${option.description})`}`,
      );
      const title = request.header && request.header !== request.question ? `${request.header}: ` : '';
      return texts(
        `Chord asks: ${request.question}`,
        [`Chord asks: ${title}${request.question}`, ...options].join('\n'),
      );
    }
    case 'handoff':
      return texts(
        `Chord has a plan and asks who shall carry it out: ${request.plan_path}`,
        `Chord has a plan and asks who shall carry it out.\n\n${request.plan || request.plan_path}`,
      );
  }
}

/** A SubAgent's name, to stand before its text, so that a chat shows who speaks; empty for the main agent. */
function speaker(payload: { agent_id: string; agent_type?: string; task_id?: string }): string {
  const agent = agentDocument(payload);
  return agent.is_main ? '' : `[${[agent.type || agent.id, agent.task_id].filter(Boolean).join(' ')}] `;
}

const todoMarks: Readonly<Record<string, string>> = {
  completed: '[x]',
  in_progress: '[>]',
  cancelled: '[-]',
};

function known(reading: Reading): Texts | undefined {
  switch (reading.type) {
    case 'assistant_message': {
      const who = speaker(reading.payload);
      const { text } = reading.payload;
      return who === '' && text === '' ? texts('Chord calls a tool.', '') : prefixed(who, text);
    }
    case 'done_completion':
      return texts(`Report: ${start(reading.payload.report)}`, reading.payload.report);
    case 'error':
      return texts(`Error: ${start(reading.payload.message)}`, reading.payload.message);
    case 'notification':
    case 'info':
    case 'toast':
    case 'context_notice':
      return texts(reading.payload.message, reading.payload.message);
    case 'agent_started':
      return texts(`SubAgent ${reading.payload.agent_type} started: ${reading.payload.description}`, '');
    case 'agent_notify':
      return prefixed(speaker(reading.payload), reading.payload.message);
    case 'agent_done':
      return texts(
        `SubAgent ${reading.payload.agent_type} finished: ${start(reading.payload.summary)}`,
        reading.payload.summary,
      );
    case 'background_result':
      return texts(`Background job finished: ${start(reading.payload.content)}`, reading.payload.content);
    case 'local_shell_result': {
      const { command, output, failed, error } = reading.payload;
      return texts(`${failed ? 'Failed' : 'Done'}: ${command}`, [output, error].filter(Boolean).join('\n'));
    }
    case 'image_result':
      return texts(
        `Image: ${reading.payload.status}`,
        reading.payload.delivery_error || reading.payload.result,
      );
    case 'todos':
      return texts(
        'The to-do list changed.',
        reading.payload.todos.map((todo) => `${todoMarks[todo.status] ?? '[ ]'} ${todo.content}`).join('\n'),
      );
    case 'activity': {
      const { type, detail } = reading.payload;
      return detail === '' ? texts(`Chord: ${type}`, '') : prefixed(`Chord: ${type} `, detail);
    }
    case 'role_change':
      return texts(`The role is now ${reading.payload.role}.`, '');
    case 'session_switched':
      return texts(`Chord works in session ${reading.payload.session_id} now.`, '');
    case 'workdir_changed':
      return texts(`Chord works in ${reading.payload.path} now.`, '');
    case 'idle': {
      const jobs = reading.payload.running_jobs ?? 0;
      return texts(jobs > 0 ? `Chord is quiet, ${jobs} background job(s) still run.` : 'Chord is quiet.', '');
    }
    default:
      return undefined;
  }
}

/**
 * The texts of an envelope that is no request. One that we do not know shows its payload whole: nothing is hidden
 * from a person because it is new.
 */
export function envelopeTexts(envelope: Envelope): Texts {
  const reading = readEnvelope(envelope);
  const described = reading && known(reading);
  if (described) return described;
  const payload = envelope.payload ?? {};
  const label = catalogEntry(envelope.type)?.label ?? envelope.type;
  const said = isText(payload.message) ? payload.message : '';
  return texts(said ? `${label}: ${said}` : `${label}.`, said || cut(JSON.stringify(payload), 100_000));
}
