import { ChordError, type AnswerTarget, type QuestionAnswer } from '../../chord';
import type { Answering, CallFor } from '../shared/run/answering';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { continueSession } from '../shared/settings/session';
import { readStepAnswer } from '../shared/approvalStep/stepAnswer';

/** What is answered, without the request that it is for. */
type Answer = Omit<QuestionAnswer, keyof AnswerTarget>;

const nothing: Answer = { action: 'answer', answers: [], text: '', reply: '' };

/** One answer a line, or a list from an expression. Never cut at commas: a label may hold one. */
const readAnswers = (value: unknown): string[] => {
  const entries: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
    throw new ChordError('invalid_answer', 'The answers must be text or a list of texts.', {
      description: 'Type one answer per line, or use an expression that gives a list such as ["A", "B"].',
    });
  }
  const lines = Array.isArray(value) ? entries.map(String) : String(entries[0]).split('\n');
  return lines.filter((line) => line.trim() !== '');
};

const modeOf = (parameters: ParameterReader) =>
  parameters.choice('answerMode', ['fromStep', 'options', 'text', 'decline']);

const readAnswer = (parameters: ParameterReader, stepResult: unknown): Answer => {
  switch (modeOf(parameters)) {
    case 'options':
      return { ...nothing, answers: readAnswers(parameters.raw('answers')) };
    case 'text':
      return { ...nothing, text: parameters.text('customText').trim() };
    case 'decline':
      return { ...nothing, action: 'decline' };
    case 'fromStep': {
      const { declined, ...step } = readStepAnswer(stepResult);
      return { action: declined ? 'decline' : 'answer', ...step };
    }
  }
};

const callFor =
  (answer: Answer): CallFor =>
  (target) => ({ method: 'answer', request: { ...answer, ...target } });

/**
 * How questions are answered. A newer Chord keeps its questions over the end of the process, so the session is continued
 * where none runs; never another one than the one that asked.
 */
export const questionAnswering: Answering = {
  kind: 'question',
  open: { process: 'on_demand', start: continueSession },
  fromStep: (parameters) => modeOf(parameters) === 'fromStep',
  read: (parameters, step) => callFor(readAnswer(parameters, step)),
  refuse: () => callFor({ ...nothing, action: 'decline' }),
};
