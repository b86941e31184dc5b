import { hidesSomething } from '../text/invisible';

/** Strings, marks and other values of a JSON text. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** Where the values of a name stand on the first level of a JSON object; names as Go reads them, whatever their case. */
function placesOf(json: string, name: string): { start: number; text: string }[] {
  const places: { start: number; text: string }[] = [];
  let depth = 0;
  let [key, before] = ['', ''];
  for (const { 0: token, index } of json.matchAll(tokens)) {
    if (before === ':' && depth === 1 && key.toLowerCase() === name)
      places.push({ start: index, text: token });
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) key = JSON.parse(before) as string;
    before = token;
  }
  return places;
}

/** The one command in a tool's arguments; undefined where there is none that is a text, or more than one. */
function placeOfCommand(argsJson: string): { start: number; text: string } | undefined {
  try {
    const value: unknown = JSON.parse(argsJson);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  } catch {
    return undefined;
  }
  const [place, ...others] = placesOf(argsJson, 'command');
  return place?.text.startsWith('"') && others.length === 0 ? place : undefined;
}

/** The command that a person may edit in a form; null where there is none, or one that a form's field would not show. */
export function editableCommand(argsJson: unknown): string | null {
  if (typeof argsJson !== 'string') return null;
  const place = placeOfCommand(argsJson);
  const command = place && (JSON.parse(place.text) as string);
  return command && command.trim() !== '' && !hidesSomething(command) ? command : null;
}

/** The arguments with another command, all else as Chord's own bytes: read and written anew, numbers might change. */
export function withCommand(argsJson: string, command: string): string {
  const place = placeOfCommand(argsJson);
  if (!place) return argsJson;
  const { start, text } = place;
  return argsJson.slice(0, start) + JSON.stringify(command) + argsJson.slice(start + text.length);
}
