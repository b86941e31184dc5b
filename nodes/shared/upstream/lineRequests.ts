import { answeredIn, requestOf, sessionKeyOf, type ItemRequest } from './chordItems';
import type { RunData } from './RunData';

const requestsIn = (items: unknown[]): ItemRequest[] =>
  items.map(requestOf).filter((request): request is ItemRequest => request !== undefined);

/** Session and id together: two sessions may use the same id. */
const identity = ({ sessionKey, id }: ItemRequest): string => JSON.stringify([sessionKey, id]);

const distinct = (requests: ItemRequest[]): ItemRequest[] => [
  ...new Map(requests.map((request) => [identity(request), request])).values(),
];

/** The request of a node of which several items were merged into this one, where every item of the node carries it. */
function sharedRequest(items: unknown[]): ItemRequest | undefined {
  const requests = requestsIn(items);
  const [only, ...others] = distinct(requests);
  return others.length === 0 && requests.length === items.length ? only : undefined;
}

/**
 * Requests of which some may lie on the incoming item's line, and nobody can say which: those of a node of which several
 * items were merged into this one, unless all its items carry the same request. An item without one counts as well: the
 * incoming item may have been made from such.
 */
export const unclearRequests = (data: RunData): ItemRequest[] =>
  distinct(data.several().flatMap((items) => (sharedRequest(items) ? [] : requestsIn(items))));

/**
 * All requests on the incoming item's line: those of the items it was made from, and those that came up after an answer
 * to one of them. The second part is what makes a loop work, where an answer's own "Needs Decision" goes back to the
 * approval step: n8n's pairing then still leads to the first request, long answered (measured), and each node's item
 * says which answer it followed.
 *
 * Where the line shows no request at all, this node's own earlier runs count.
 */
export const lineRequests = (data: RunData): ItemRequest[] => {
  const shared = data.several().map(sharedRequest);
  const line = distinct([
    ...requestsIn(data.ancestors()),
    ...shared.filter((request) => request !== undefined),
  ]);
  if (line.length === 0) return distinct(requestsIn(data.own()));
  const rest = distinct(requestsIn(data.everything()));
  for (;;) {
    const known = new Set(line.map(identity));
    const next = rest.filter(
      (request) =>
        !known.has(identity(request)) &&
        request.follows !== '' &&
        known.has(identity({ ...request, id: request.follows })),
    );
    if (next.length === 0) return line;
    line.push(...next);
  }
};

/** The requests of a line that no other one followed: where it stands now. */
export const lastOfLine = (line: ItemRequest[]): ItemRequest[] => {
  const followed = new Set(line.map((request) => identity({ ...request, id: request.follows })));
  return line.filter((request) => !followed.has(identity(request)));
};

/**
 * Whether the incoming item was made from requests of this session that were not answered on its line, and this is none
 * of them: an answer there was given to another one.
 */
export const isElsewhere = (data: RunData, incoming: unknown, sessionKey: string, id: string): boolean => {
  const items = [incoming, ...data.ancestors(), ...data.several().flat()];
  const answered = new Set(items.map(answeredIn));
  const asked = requestsIn(items).filter(
    (request) =>
      !answered.has(request.id) && (request.sessionKey === '' || request.sessionKey === sessionKey),
  );
  return asked.length > 0 && ![...asked, ...lineRequests(data)].some((request) => request.id === id);
};

/** The keys of all sessions on the incoming item's line. */
export const lineSessions = (data: RunData): string[] => {
  const keys = [...data.ancestors(), ...data.several().flat()].map(sessionKeyOf).filter((key) => key !== '');
  return [...new Set(keys)];
};

/** Ids of all requests that this execution was handed, on any line. */
export const heldRequests = (data: RunData, incoming: unknown): string[] => [
  ...new Set(
    requestsIn([incoming, ...data.ancestors(), ...data.several().flat(), ...data.everything()]).map(
      ({ id }) => id,
    ),
  ),
];
