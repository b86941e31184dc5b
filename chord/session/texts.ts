import { catalogEntry } from '../protocol/catalog';
import { readEnvelope, type Envelope, type Reading } from '../protocol/envelopes';
import { callArguments, mainArgument } from './callArguments';
import { numbered } from './choices';
import type { ConfirmDocument, HandoffDocument, QuestionDocument, RequestDocument, Texts } from './contract';
import { cut } from './text/cut';
import { hasMarkup, plainTelling, tell, type Telling } from './text/tell';
import { agentDocument } from './Turn';

const isText = (value: unknown): value is string => typeof value === 'string';

/** A tool's call: its arguments as Chord wrote them. */
function callTelling(tool: string, argsJson: string): Telling {
  const args = callArguments(argsJson);
  const parts = isText(args) ? [{ name: 'arguments', value: args }] : args;
  return {
    summary: `Chord wants to run ${tool}: ${mainArgument(args)}`,
    opening: `Chord wants to run ${tool}.`,
    body: args,
    reading: 'code',
    // A name that a messenger would read as markup stands in the block, where it can stay as it is.
    ...(hasMarkup(tool) && {
      inChat: { opening: 'Chord wants to run a tool.', body: [{ name: 'tool', value: tool }, ...parts] },
    }),
  };
}

function confirmTelling({ tool, report }: ConfirmDocument, argsJson: string): Telling {
  if (report === undefined) return callTelling(tool, argsJson);
  const said = plainTelling(`Chord reports that it is done: ${report}`, report);
  return { ...said, inChat: { opening: 'Chord reports that it is done:', body: said.body } };
}

function questionTelling({ header, question, options }: QuestionDocument): Telling {
  const offered = numbered(
    options.map(({ label, description }) => `${label}${description && ` (${description})`}`),
  );
  const title = header && header !== question ? `${header}: ` : '';
  return plainTelling(`Chord asks: ${question}`, [`Chord asks: ${title}${question}`, ...offered].join('\n'));
}

function handoffTelling({ plan, plan_path: path, plan_error: problem }: HandoffDocument): Telling {
  const unread = problem === '' ? '' : `Its plan ${path} could not be read: ${problem}`;
  return {
    summary: unread
      ? `Chord asks who shall carry its plan out, which could not be read (${problem}): ${path}`
      : `Chord has a plan and asks who shall carry it out: ${path}`,
    opening: 'Chord has a plan and asks who shall carry it out.',
    body: [unread, plan || (unread ? '' : path)].filter(Boolean).join('\n\n'),
    reading: 'prose',
  };
}

function requestTelling(request: RequestDocument, payload: Readonly<Record<string, unknown>>): Telling {
  switch (request.kind) {
    case 'confirm':
      return confirmTelling(request, isText(payload.args_json) ? payload.args_json : '');
    case 'question':
      return questionTelling(request);
    case 'handoff':
      return handoffTelling(request);
  }
}

/**
 * What a request says to a person.
 *
 * @param payload as Chord sent it: what is shown are Chord's own bytes, not what was read of them
 */
export const requestTexts = (request: RequestDocument, payload: Readonly<Record<string, unknown>>): Texts =>
  tell(() => ({ ...requestTelling(request, payload), elsewhere: ', see the form' }));

/** What is said of a request that is closed. */
export function closedTexts(
  request: RequestDocument,
  payload: Readonly<Record<string, unknown>>,
  closing: string,
): Texts {
  return tell(() => {
    const { summary, reading } = requestTelling(request, payload);
    return plainTelling(`${closing}: ${summary}`, '', reading);
  });
}

/** A sentence of ours as the texts of an item; what it holds may come from outside. */
export const textsOf = (said: string): Texts => tell(() => plainTelling(said));

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

function known(reading: Reading): Telling | undefined {
  switch (reading.type) {
    case 'assistant_message': {
      const who = speaker(reading.payload);
      const { text } = reading.payload;
      return plainTelling(who + text || 'Chord calls a tool.');
    }
    case 'done_completion':
      return plainTelling(`Report: ${reading.payload.report}`, reading.payload.report);
    case 'error':
      return plainTelling(`Error: ${reading.payload.message}`, reading.payload.message);
    case 'notification':
    case 'info':
    case 'toast':
    case 'context_notice':
      return plainTelling(reading.payload.message);
    case 'agent_started':
      return plainTelling(`SubAgent ${reading.payload.agent_type} started: ${reading.payload.description}`);
    case 'agent_notify':
      return plainTelling(speaker(reading.payload) + reading.payload.message);
    case 'agent_done':
      return plainTelling(
        `SubAgent ${reading.payload.agent_type} finished: ${reading.payload.summary}`,
        reading.payload.summary,
      );
    case 'background_result':
      return plainTelling(`Background job finished: ${reading.payload.content}`, reading.payload.content);
    case 'local_shell_result': {
      const { command, output, failed, error } = reading.payload;
      return plainTelling(
        `${failed ? 'Failed' : 'Done'}: ${command}`,
        [output, error].filter(Boolean).join('\n'),
        'code',
      );
    }
    case 'image_result':
      return plainTelling(
        `Image: ${reading.payload.status}`,
        reading.payload.delivery_error || reading.payload.result,
      );
    case 'todos':
      return plainTelling(
        'The to-do list changed.',
        reading.payload.todos.map((todo) => `${todoMarks[todo.status] ?? '[ ]'} ${todo.content}`).join('\n'),
      );
    case 'activity': {
      const { type, detail } = reading.payload;
      return plainTelling(`Chord: ${type}${detail && ` ${detail}`}`);
    }
    case 'role_change':
      return plainTelling(`The role is now ${reading.payload.role}.`);
    case 'session_switched':
      return plainTelling(`Chord works in session ${reading.payload.session_id} now.`);
    case 'workdir_changed':
      return plainTelling(`Chord works in ${reading.payload.path} now.`);
    case 'idle': {
      const jobs = reading.payload.running_jobs ?? 0;
      return plainTelling(
        jobs > 0 ? `Chord is quiet, ${jobs} background job(s) still run.` : 'Chord is quiet.',
      );
    }
    default:
      return undefined;
  }
}

/** One that we do not know shows its payload whole: nothing is hidden from a person because it is new. */
function envelopeTelling(envelope: Envelope): Telling {
  const reading = readEnvelope(envelope);
  const described = reading && known(reading);
  if (described) return described;
  const payload = envelope.payload ?? {};
  const label = catalogEntry(envelope.type)?.label ?? envelope.type;
  const said = isText(payload.message) ? payload.message : '';
  return said
    ? plainTelling(`${label}: ${said}`, said)
    : plainTelling(`${label}.`, cut(JSON.stringify(payload), 100_000), 'code');
}

/** The texts of an envelope that is no request. */
export const envelopeTexts = (envelope: Envelope): Texts => tell(() => envelopeTelling(envelope));
