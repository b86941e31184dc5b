import { ChordError, type ConnectionSettings, type QuestionAnswer } from '../../chord';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import { readTarget, type TargetSettings } from '../shared/settings/target';
import { readWaiting, readWaitMode } from '../shared/settings/waiting';
import { readStepAnswer } from '../shared/stepDecision';
import type { WaitMode } from '../shared/suspend/callSession';

/** What is answered, without the request that it is for. */
type Answer = Pick<QuestionAnswer, 'action' | 'answers' | 'text' | 'reply'>;

/** All parameters of one item, the answer read. */
export interface QuestionSettings {
  target: TargetSettings;
  answer: Omit<QuestionAnswer, 'callId' | 'requestId' | 'fromItem'>;
  waitMode: WaitMode;
}

const nothing: Answer = { action: 'answer', answers: [], text: '', reply: '' };

/** One answer a line, or a list from an expression. Never cut at commas: a label may hold one. */
const readAnswers = (value: unknown): string[] => {
  const entries: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  if (entries.some((entry) => typeof entry !== 'string' && typeof entry !== 'number')) {
    throw new ChordError('invalid_answer', 'The answers have to be a text or a list of texts.', {
      description: 'Type one answer a line, or give a list such as ["A", "B"] with an expression.',
    });
  }
  const lines = Array.isArray(value) ? entries.map(String) : String(entries[0]).split('\n');
  return lines.filter((line) => line.trim() !== '');
};

const readAnswer = (parameters: ParameterReader): Answer => {
  switch (parameters.choice('answerMode', ['fromStep', 'options', 'text', 'decline'])) {
    case 'options':
      return { ...nothing, answers: readAnswers(parameters.raw('answers')) };
    case 'text':
      return { ...nothing, text: parameters.text('customText').trim() };
    case 'decline':
      return { ...nothing, action: 'decline' };
    case 'fromStep': {
      const { declined, ...step } = readStepAnswer(parameters.raw('stepResult'));
      return { action: declined ? 'decline' : 'answer', ...step };
    }
  }
};

/** Reads the node's parameters for one item. */
export const readQuestionSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): QuestionSettings => {
  const waitFor = parameters.choice('waitFor', ['nothing', 'turn', 'jobs']);
  const waitOptions = parameters.collection('waitOptions');
  return {
    target: readTarget(parameters, connection),
    waitMode: readWaitMode(waitOptions),
    answer: { ...readWaiting(waitFor, waitOptions), ...readAnswer(parameters) },
  };
};
