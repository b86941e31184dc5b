import type { Texts } from '../contract';
import { chatText } from './chat';
import { chatMessage, summaryLine } from './cut';
import { caption, codeBlock, proseBlock } from './html';
import type { Reading } from './invisible';
import { neutral, paragraphs } from './neutral';

/** A part of a command, e.g. an argument of a tool. */
export interface NamedPart {
  name: string;
  value: string;
}

/** What is said to a person, raw, before it is made ready for the places that show it. */
export interface Wording {
  /** What stands in a list or a subject; may hold line breaks and be as long as it likes. */
  summary: string;
  /** A sentence before the body; empty for none. */
  opening: string;
  /** The heart of it, whole. */
  body: string | NamedPart[];
  /** Whether the body, and what the summary shows of it, is a command or the content of a file. */
  reading: Reading;
  /** What a chat says of where the rest can be read. */
  elsewhere?: string;
  /** What stands in a chat instead, where the sentence or the body would not do. */
  inChat?: Pick<Wording, 'opening' | 'body'>;
}

/** What is said in one go, without a sentence before it; the summary where there is nothing more. */
export const plainWording = (summary: string, whole = '', reading: Reading = 'prose'): Wording => ({
  summary,
  opening: '',
  body: whole || summary,
  reading,
});

const lines = (parts: readonly NamedPart[]): string =>
  parts.map(({ name, value }) => `${name}: ${value}`).join('\n');

const joined = (opening: string, body: string): string => [opening, body].filter(Boolean).join('\n\n');

const blockOf = { code: codeBlock, prose: proseBlock };

/** A single part needs no name; of several each has its own block, so that none can pretend to be another. */
function htmlBody(body: string | readonly NamedPart[], reading: Reading): string {
  const block = blockOf[reading];
  if (typeof body === 'string') return body && block(body);
  const [only, ...others] = body;
  if (only && others.length === 0) return block(only.value);
  return body.map(({ name, value }) => caption(name) + block(value)).join('');
}

function chatBody(body: string | readonly NamedPart[]): string {
  if (typeof body === 'string') return body;
  const [only, ...others] = body;
  return only && others.length === 0 ? only.value : lines(body);
}

/** What the texts of an item are made of, as far as one was asked for. */
class Source {
  readonly made: Partial<Texts> = {};

  private known: Wording | undefined;

  constructor(private readonly make: () => Wording) {}

  get wording(): Wording {
    return (this.known ??= this.make());
  }

  get text(): string {
    const { opening, body } = this.wording;
    return joined(opening, typeof body === 'string' ? body : lines(body));
  }
}

const source = Symbol('source');

const makers: Readonly<Record<keyof Texts, (source: Source) => string>> = {
  summary: ({ wording }) => summaryLine(wording.summary, neutral[wording.reading]),
  message: ({ wording, text }) => chatMessage(text, neutral[wording.reading]),
  html: ({ wording: { opening, body, reading } }) =>
    (opening && proseBlock(opening)) + htmlBody(body, reading),
  chat: ({ wording: { reading, elsewhere = '', inChat, ...itself } }) => {
    const { opening, body } = inChat ?? itself;
    return chatText({ opening, body: chatBody(body), isCode: reading === 'code', elsewhere });
  },
  text: ({ text }) => text,
};

function lazily(name: keyof Texts): PropertyDescriptor {
  const get = function (this: Texts & { readonly [source]: Source }): string {
    const from = this[source];
    return (from.made[name] ??= makers[name](from));
  };
  return { enumerable: true, configurable: true, get };
}

/** The same functions for all: with new ones for each item V8 makes it a class of its own, and keeps that (measured). */
const properties = Object.fromEntries(
  (Object.keys(makers) as (keyof Texts)[]).map((name) => [name, lazily(name)]),
);

/**
 * The five texts of an item. Each is made when it is first read or copied, in time and room in proportion to the text:
 * most listeners look at few of many events, and at one text of an event.
 *
 * @param wording called once, when the first of them is read
 */
export function renderTexts(wording: () => Wording): Texts {
  const texts = Object.defineProperty({}, source, { value: new Source(wording) });
  return Object.defineProperties(texts, properties) as Texts;
}

/** Whether a messenger would read a part of it as markup. */
export const hasMarkup = (name: string): boolean => paragraphs(name) !== name;
