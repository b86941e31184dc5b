import { catalogEntry } from '../../protocol/catalog';
import type { Reading, Received } from '../../protocol/envelopes';
import { callArguments, mainArgument } from '../text/callArguments';
import { numbered } from '../text/choices';
import type { ConfirmDocument, HandoffDocument, QuestionDocument, RequestDocument, Texts } from '../contract';
import { cut } from '../text/cut';
import { hasMarkup, plainWording, renderTexts, type Wording } from '../text/renderTexts';
import { agentDocument } from '../turns/Turn';

const isText = (value: unknown): value is string => typeof value === 'string';

/** A tool's call: its arguments as Chord wrote them. */
function callWording(tool: string, argsJson: string): Wording {
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

function confirmWording({ tool, report }: ConfirmDocument, argsJson: string): Wording {
  if (report === undefined) return callWording(tool, argsJson);
  const said = plainWording(`Chord reports that it is done: ${report}`, report);
  return { ...said, inChat: { opening: 'Chord reports that it is done:', body: said.body } };
}

function questionWording({ header, question, options }: QuestionDocument): Wording {
  const offered = numbered(
    options.map(({ label, description }) => `${label}${description && ` (${description})`}`),
  );
  const title = header && header !== question ? `${header}: ` : '';
  return plainWording(`Chord asks: ${question}`, [`Chord asks: ${title}${question}`, ...offered].join('\n'));
}

function handoffWording({ plan, plan_path: path, plan_error: problem }: HandoffDocument): Wording {
  const unread = problem === '' ? '' : `Its plan ${path} could not be read: ${problem}`;
  return {
    summary: unread
      ? `Chord asks who should carry out its plan, which could not be read (${problem}): ${path}`
      : `Chord has a plan and asks who should carry it out: ${path}`,
    opening: 'Chord has a plan and asks who should carry it out.',
    body: [unread, plan || (unread ? '' : path)].filter(Boolean).join('\n\n'),
    reading: 'prose',
  };
}

function requestWording(request: RequestDocument, payload: Readonly<Record<string, unknown>>): Wording {
  switch (request.kind) {
    case 'confirm':
      return confirmWording(request, isText(payload.args_json) ? payload.args_json : '');
    case 'question':
      return questionWording(request);
    case 'handoff':
      return handoffWording(request);
  }
}

/**
 * What a request says to a person.
 *
 * @param payload as Chord sent it: what is shown are Chord's own bytes, not what was read of them
 */
export const requestTexts = (request: RequestDocument, payload: Readonly<Record<string, unknown>>): Texts =>
  renderTexts(() => ({ ...requestWording(request, payload), elsewhere: ', see the form' }));

/** What is said of a request that is closed. */
export function closedTexts(
  request: RequestDocument,
  payload: Readonly<Record<string, unknown>>,
  closing: string,
): Texts {
  return renderTexts(() => {
    const { summary, reading } = requestWording(request, payload);
    return plainWording(`${closing}: ${summary}`, '', reading);
  });
}

/** A sentence of ours as the texts of an item; what it holds may come from outside. */
export const textsOf = (said: string): Texts => renderTexts(() => plainWording(said));

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

function known(reading: Reading): Wording | undefined {
  switch (reading.type) {
    case 'assistant_message': {
      const who = speaker(reading.payload);
      const { text } = reading.payload;
      return plainWording(who + text || 'Chord calls a tool.');
    }
    case 'done_completion':
      return plainWording(`Report: ${reading.payload.report}`, reading.payload.report);
    case 'error':
      return plainWording(`Error: ${reading.payload.message}`, reading.payload.message);
    case 'notification':
    case 'info':
    case 'toast':
    case 'context_notice':
      return plainWording(reading.payload.message);
    case 'agent_started':
      return plainWording(`SubAgent ${reading.payload.agent_type} started: ${reading.payload.description}`);
    case 'agent_notify':
      return plainWording(speaker(reading.payload) + reading.payload.message);
    case 'agent_done':
      return plainWording(
        `SubAgent ${reading.payload.agent_type} finished: ${reading.payload.summary}`,
        reading.payload.summary,
      );
    case 'background_result':
      return plainWording(`Background job finished: ${reading.payload.content}`, reading.payload.content);
    case 'local_shell_result': {
      const { command, output, failed, error } = reading.payload;
      return plainWording(
        `${failed ? 'Failed' : 'Done'}: ${command}`,
        [output, error].filter(Boolean).join('\n'),
        'code',
      );
    }
    case 'image_result':
      return plainWording(
        `Image: ${reading.payload.status}`,
        reading.payload.delivery_error || reading.payload.result,
      );
    case 'todos':
      return plainWording(
        'The to-do list changed.',
        reading.payload.todos.map((todo) => `${todoMarks[todo.status] ?? '[ ]'} ${todo.content}`).join('\n'),
      );
    case 'activity': {
      const { type, detail } = reading.payload;
      return plainWording(`Chord: ${type}${detail && ` ${detail}`}`);
    }
    case 'role_change':
      return plainWording(`The role is now ${reading.payload.role}.`);
    case 'session_switched':
      return plainWording(`Chord now works in session ${reading.payload.session_id}.`);
    case 'workdir_changed':
      return plainWording(`Chord now works in ${reading.payload.path}.`);
    case 'idle': {
      const jobs = reading.payload.running_jobs ?? 0;
      return plainWording(
        jobs > 0 ? `Chord is idle; background jobs still running: ${jobs}.` : 'Chord is idle.',
      );
    }
    default:
      return undefined;
  }
}

/** One that we do not know shows its payload whole: nothing is hidden from a person because it is new. */
function envelopeWording({ envelope, reading }: Received): Wording {
  const described = reading && known(reading);
  if (described) return described;
  const payload = envelope.payload ?? {};
  const label = catalogEntry(envelope.type)?.label ?? envelope.type;
  const said = isText(payload.message) ? payload.message : '';
  return said
    ? plainWording(`${label}: ${said}`, said)
    : plainWording(`${label}.`, cut(JSON.stringify(payload), 100_000), 'code');
}

/** The texts of an envelope that is no request. */
export const envelopeTexts = (received: Received): Texts => renderTexts(() => envelopeWording(received));
