import type { RequestKind } from '../../../chord';
import { isRecord } from '../items/isRecord';

/** A request as an earlier item of this execution states it. */
export interface ItemRequest {
  id: string;
  /** Empty where the item does not say. */
  kind: RequestKind | '';
  sessionKey: string;
  /** The request whose answer led to this one, from the item's `decision`; empty if none did. */
  follows: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const kindOf = (value: unknown): RequestKind | '' =>
  value === 'confirm' || value === 'question' || value === 'handoff' ? value : '';

/** The session key that an item of a Chord node carries; empty for other items. */
export const sessionKeyOf = (json: unknown): string =>
  isRecord(json) && isRecord(json.session) ? text(json.session.key) : '';

/** The request that an item of a Chord node says was answered; empty for other items. */
export const answeredIn = (json: unknown): string =>
  isRecord(json) && isRecord(json.decision) ? text(json.decision.request_id) : '';

/** The request that an item of a Chord node carries, if any. A failed item carries none. */
export const requestOf = (json: unknown): ItemRequest | undefined => {
  if (!isRecord(json) || !isRecord(json.request) || isRecord(json.error)) return undefined;
  const id = text(json.request.id);
  if (!id) return undefined;
  const answered = answeredIn(json);
  return {
    id,
    kind: kindOf(json.request.kind),
    sessionKey: sessionKeyOf(json),
    follows: answered === id ? '' : answered,
  };
};
