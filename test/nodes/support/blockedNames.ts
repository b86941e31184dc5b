import { isSafeObjectProperty } from 'n8n-workflow';

/** Every name in a document, with the way to it. */
const namesIn = (value: unknown, way: string[] = []): string[][] => {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, way));
  return Object.entries(value).flatMap(([name, inner]) => [
    [...way, name],
    ...namesIn(inner, [...way, name]),
  ]);
};

/** The names of an item that n8n's expressions cannot read, each with the way to it. */
export const blockedIn = (json: object): string[] => [
  ...new Set(
    namesIn(json)
      .filter((way) => !isSafeObjectProperty(way.at(-1) ?? ''))
      .map((way) => way.join('.')),
  ),
];
