import type { NamedPart } from './renderTexts';

/** Where a JSON string that begins at `start` ends, behind its closing quote. */
function stringEnd(json: string, start: number): number {
  let quote = start;
  do {
    quote = json.indexOf('"', quote + 1);
  } while (isEscaped(json, quote));
  return quote + 1;
}

/** Whether an odd number of backslashes stands before this place. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** Where the value that begins at `start` ends; it lies in an object. */
function valueEnd(json: string, start: number): number {
  const marks = /["{}[\],]/g;
  let depth = 0;
  marks.lastIndex = start;
  for (let mark = marks.exec(json); mark; mark = marks.exec(json)) {
    const [character] = mark;
    if (character === '"') marks.lastIndex = stringEnd(json, mark.index);
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0) return mark.index;
    else if (character !== ',') depth -= 1;
  }
  return json.length;
}

const blanks = /[\t\n\r ]*/y;

function afterBlanks(json: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(json);
  return blanks.lastIndex;
}

/** The first level of a JSON object, in its order, names that come twice too; it must be one. */
function entriesOf(json: string): NamedPart[] {
  const parts: NamedPart[] = [];
  for (let at = afterBlanks(json, json.indexOf('{') + 1); json[at] === '"'; ) {
    const nameEnd = stringEnd(json, at);
    const name = JSON.parse(json.slice(at, nameEnd)) as string;
    const start = afterBlanks(json, json.indexOf(':', nameEnd) + 1);
    const end = valueEnd(json, start);
    const raw = json.slice(start, end).trimEnd();
    parts.push({ name, value: raw.startsWith('"') ? (JSON.parse(raw) as string) : raw });
    at = afterBlanks(json, end + 1);
  }
  return parts;
}

/**
 * A tool's arguments as Chord wrote them, for a person: strings as they are, anything else as its own bytes, since
 * read and written again an integer over 2^53 would be another one. The text itself where it is no JSON object.
 */
export function callArguments(argsJson: string): string | NamedPart[] {
  let value: unknown;
  try {
    value = JSON.parse(argsJson);
  } catch {
    return argsJson;
  }
  if (typeof value === 'string') return value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? entriesOf(argsJson) : argsJson;
}

/** The arguments that say most of a call, the first that is there. */
const mainNames = ['command', 'path', 'paths', 'pattern', 'url', 'plan_path'];

/** Names as Go reads them: whatever the case of their letters. */
const sameName = (name: string) => name.toUpperCase();

/**
 * What a call acts on: its command, path or pattern, else its first argument. Of several of one name it is the last, and case does not matter: so
 * Chord reads them.
 */
export function mainArgument(args: string | readonly NamedPart[]): string {
  if (typeof args === 'string') return args;
  for (const name of mainNames) {
    const part = args.findLast((one) => sameName(one.name) === sameName(name) && one.value !== '');
    if (part) return part.value;
  }
  return args[0]?.value ?? '';
}
