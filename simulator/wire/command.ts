import { isRecord } from './json';

/** A command as it came in; every field may be missing. Unknown fields are ignored, as in Chord. */
export interface Command {
  type: string;
  content: string;
  command: string;
  request_id: string;
  action: string;
  agent: string;
  pool: string;
  role: string;
  final_args_json: string;
  edit_summary: string;
  deny_reason: string;
  rule_pattern: string;
  rule_scope: string;
  answers: string[];
  cancelled: boolean;
  reason: string;
  operation_id: string;
  version: number;
  custom: boolean;
  replacement_id: string;
  user_text: string;
  supports_interaction: boolean;
  binding_id: string;
  questions_after_id: string;
  question_ids: string[];
  /** `null` when it was not given. */
  events: string[] | null;
}

/** A command without any field. */
export const EMPTY_COMMAND: Command = {
  type: '',
  content: '',
  command: '',
  request_id: '',
  action: '',
  agent: '',
  pool: '',
  role: '',
  final_args_json: '',
  edit_summary: '',
  deny_reason: '',
  rule_pattern: '',
  rule_scope: '',
  answers: [],
  cancelled: false,
  reason: '',
  operation_id: '',
  version: 0,
  custom: false,
  replacement_id: '',
  user_text: '',
  supports_interaction: false,
  binding_id: '',
  questions_after_id: '',
  question_ids: [],
  events: null,
};

/**
 * Reads one stdin line the way Go reads it into a struct: `null` is an empty command, a field of the wrong type
 * makes the whole line invalid (`undefined`).
 */
export function parseCommand(line: string): Command | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (value === null) return { ...EMPTY_COMMAND };
  if (!isRecord(value)) return undefined;
  const command: Record<string, unknown> = { ...EMPTY_COMMAND };
  for (const [name, given] of Object.entries(value)) {
    // Go finds the field of a name in any case (measured).
    const key = name.toLowerCase();
    if (given === null || !(key in EMPTY_COMMAND)) continue;
    const empty = EMPTY_COMMAND[key as keyof Command];
    const fits =
      Array.isArray(empty) || empty === null
        ? Array.isArray(given) && given.every((entry) => typeof entry === 'string')
        : typeof given === typeof empty;
    if (!fits) return undefined;
    command[key] = given;
  }
  return command as unknown as Command;
}
