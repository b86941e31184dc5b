import { setTimeout as sleep } from 'node:timers/promises';

/** One field of a page that n8n shows to a person. */
export interface FormField {
  /** What the field is called in the answer: `field-0`, `field-1`, … */
  name: string;
  label: string;
  /** What can be chosen, if something is to be chosen. */
  choices: string[];
  /** What stands in a text field already. */
  value?: string;
}

/** A form of n8n: of its Form Trigger, or behind the link of a send-and-wait message. */
export interface N8nForm {
  url: string;
  title: string;
  fields: FormField[];
}

/**
 * A mail leaves a moment before n8n has noted that the execution waits for its answer; until then it answers 409. A
 * person is slower than that. In milliseconds.
 */
const WAITING_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Opens the form as a browser does; nothing is decided by that. */
export async function openForm(url: string): Promise<N8nForm> {
  let answer = await fetch(url, { headers: { accept: 'text/html', 'user-agent': BROWSER } });
  const deadline = Date.now() + WAITING_LIMIT_MS;
  while (answer.status === 409 && Date.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    answer = await fetch(url, { headers: { accept: 'text/html', 'user-agent': BROWSER } });
  }
  const page = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${page.slice(0, 300)}`);
  const blocks = page.split(/(?=<label class=['"]form-label)/).slice(1);
  const fields = blocks.map((block) => ({
    name: /\bfield-\d+/.exec(block)?.[0] ?? '',
    label: plain(/<label[^>]*>([\s\S]*?)<\/label>/.exec(block)?.[1] ?? ''),
    choices: choicesOf(block),
    value: valueOf(block),
  }));
  const title = /<title>([\s\S]*?)<\/title>/.exec(page)?.[1] ?? '';
  return { url, title: plain(title), fields };
}

/** Fills a form by the labels of its fields and sends it, as n8n's page does; gives what n8n answered. */
export async function submitForm(form: N8nForm, answers: Record<string, string | string[]>): Promise<string> {
  const body = new FormData();
  const unknown = Object.keys(answers).filter((label) => !form.fields.some((field) => field.label === label));
  if (unknown.length > 0) {
    throw new Error(
      `The form has no ${unknown.join(', ')}; it has ${form.fields.map((field) => field.label).join(', ')}`,
    );
  }
  for (const { name, label, value = '' } of form.fields) {
    const answer = answers[label] ?? value;
    // As browsers send it: every line break with a carriage return.
    body.append(name, Array.isArray(answer) ? JSON.stringify(answer) : answer.replace(/\r?\n/g, '\r\n'));
  }
  const response = await fetch(form.url, { method: 'POST', body, headers: { 'user-agent': BROWSER } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${form.url} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** n8n gives what it takes for a robot an empty page. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

/** The entries of a list, or the labels of the boxes to tick. */
function choicesOf(block: string): string[] {
  const options = [...block.matchAll(/<option[^>]*\bvalue=['"]([^'"]*)['"]/g)];
  const boxes = [...block.matchAll(/<label[^>]*\bfor=['"]option[^>]*>([\s\S]*?)<\/label>/g)];
  return [...options, ...boxes].map(([, value = '']) => plain(value)).filter((value) => value !== '');
}

/** The text in a large field, without the line break that a browser leaves out at its start. */
function valueOf(block: string): string | undefined {
  const text = /<textarea[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(block)?.[1];
  return text ? decoded(text) : undefined;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  '#x3D': '=',
  '#x60': '`',
};

function decoded(html: string): string {
  return html.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

function plain(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, '')).trim();
}
