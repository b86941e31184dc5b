import type { Envelope } from '../protocol/envelopes';
import type { SecretMask } from './SecretMask';

/**
 * By these an answer finds its way and names what it chooses: masked ones would go back to Chord as they are here. All
 * are made by Chord or stand in its configuration.
 */
const identifiers = new Set([
  'request_id',
  'session_id',
  'binding_id',
  'option_ids',
  'default_option_id',
  'questions_next_after_id',
  'role',
  'current_role',
  'model_pools',
  'current_model_pool',
]);

/** Parts of a payload that are built like payloads. */
const parts = new Set([
  'pending_confirm',
  'pending_question',
  'pending_questions',
  'questions',
  'pending_handoff',
]);

/** Lists of what is chosen by its name. */
const choices = new Set(['agents', 'roles']);

const isTexts = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function maskFields(secrets: SecretMask, fields: Record<string, unknown>, kept: readonly string[]): void {
  for (const [name, value] of Object.entries(fields)) {
    const isKept = (identifiers.has(name) || kept.includes(name)) && isTexts(value);
    if (!isKept) fields[name] = maskField(secrets, name, value);
  }
}

function maskField(secrets: SecretMask, name: string, value: unknown): unknown {
  if (typeof value === 'string') return name === 'args_json' ? secrets.maskJson(value) : secrets.mask(value);
  const elements: unknown[] = Array.isArray(value) ? value : [value];
  const isPart = parts.has(name) || choices.has(name);
  if (!isPart || !elements.every(isObject)) secrets.maskInPlace(value);
  else for (const element of elements) maskFields(secrets, element, choices.has(name) ? ['name'] : []);
  return value;
}

/**
 * Takes the credential's values out of a line of Chord, in place, right after it was read: so everything that is made
 * of it (texts, items, results, the audit, what is kept) has none. Bytes of images stay as they are.
 */
export function maskEnvelope(secrets: SecretMask, { type, payload }: Envelope): void {
  if (secrets.isEmpty || !payload) return;
  maskFields(secrets, payload, type === 'image_artifact' ? ['data'] : []);
}
