// words.mjs - what the cases are written in: answers of the model, steps of the client, and how both become files.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const kinds = ['scenarios', 'drivers'];
for (const kind of kinds) {
  fs.rmSync(path.join(folder, kind), { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, kind));
}
const put = (kind, name, value) =>
  fs.writeFileSync(path.join(folder, kind, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);

/** A case: what the model does (steps of a scenario) and what the client does. */
export const scenario = (name, steps, driver, extra = {}) => {
  put('scenarios', name, { name, steps });
  put('drivers', name, { name, scenario: name, steps: driver, ...extra });
};

/** A case in which the model gives these answers one after the other. */
export const measure = (name, replies, driver, extra) =>
  scenario(
    name,
    replies.map((reply, index) => ({ when: { nth: index + 1 }, reply })),
    driver,
    extra,
  );

// What the model answers.
/** An answer in words, which ends the turn. */
export const say = (text) => ({ text });
/** Takes `count` times 50 ms. */
export const drip = (count) => ({ text: { repeat: 'drip ', count }, chunk_chars: 5, chunk_delay_ms: 50 });
/** A call of one tool. */
export const call = (name, args) => ({ tool_calls: [{ name, args }] });
/** A shell command. */
export const shell = (command) => call('shell', { command });
/** The end of a task in loop mode, with its report. */
export const done = (report) => call('done', { report });
/** A file that the rules want to ask about. */
export const writeFile = call('write', { path: 'a.txt', content: 'x' });
/** A plan, which nobody is asked about. */
export const writePlan = call('write', { path: '.chord/plans/a.md', content: '# A\n' });
/** That plan to another role. */
export const handOff = call('handoff', { plan_path: '.chord/plans/a.md' });

// What the client does.
/** A message of a person. */
export const send = (content) => ({ send: { type: 'send', content } });
/** Asks for the status. */
export const status = { send: { type: 'status' } };
/** Ends the running turn. */
export const cancel = { send: { type: 'cancel' } };
/** Asks for the model pools. */
export const askModels = { send: { type: 'models' } };
const last = (type) => `\${last.${type}.payload.request_id}`;
/** Decides the newest request to confirm: allows it unless the fields say otherwise. */
export const confirm = (fields) => ({
  send: { type: 'confirm', request_id: last('confirm_request'), action: 'allow', ...fields },
});
/** Answers the newest question. */
export const answer = (answers) => ({
  send: { type: 'question', request_id: last('question_request'), answers },
});
/** Decides the newest handoff. */
export const decide = (fields) => ({
  send: { type: 'handoff', request_id: last('handoff_request'), ...fields },
});
/** Waits for an event, with these values in it. */
export const wait = (type, where, more = {}) => ({
  waitFor: { type, ...(where ? { where } : {}), timeout_ms: 8000, ...more },
});
/** Waits for an activity of the agent. */
export const seen = (activity) => wait('activity', { 'payload.type': activity });
/** Where it is one of the questions whether an `idle` comes. */
export const perhapsIdle = (timeout_ms) => wait('idle', undefined, { optional: true, timeout_ms });
/** Does nothing for a while. */
export const pause = (milliseconds) => ({ delay: milliseconds });
/** Lets whatever follows arrive. */
export const rest = pause(300);
