import { EMPTY_COMMAND, type Command } from '../../wire/command';
import type { Desk } from './contract';

/** The operation that a slash command stands for. Not measured, as all of this folder: see `desk.ts`. */
function operationOf(text: string): Partial<Command> | undefined {
  const [name, verb, first, second] = text.split(/\s+/);
  if (name === '/new-task' && verb)
    return { action: 'new_task', user_text: text.slice('/new-task'.length).trim() };
  if (name !== '/question') return undefined;
  const user_text = text;
  if (verb === 'cancel-task') return { action: 'cancel_task', user_text };
  if (verb === 'withdraw' && first) return { action: 'withdraw_requirement', request_id: first, user_text };
  if (verb === 'replace' && first && second) {
    return { action: 'replace_requirement', request_id: first, replacement_id: second, user_text };
  }
  return undefined;
}

/** Does `/question …` and `/new-task …`: `done`, why not, or `undefined` when the text is neither. */
export function questionSlash(
  desk: Desk,
  text: string,
  requestId: string,
): { problem: string } | 'done' | undefined {
  if (!/^\/(question|new-task)(\s|$)/.test(text)) return undefined;
  const operation = operationOf(text);
  if (!operation)
    return { problem: 'usage: /question withdraw ID | replace OLD NEW | cancel-task, /new-task TEXT' };
  const operation_id = `user-question:${requestId || desk.newId()}`;
  const receipt = desk.perform({ ...EMPTY_COMMAND, type: 'question', operation_id, ...operation });
  return receipt.accepted ? 'done' : { problem: receipt.error };
}
