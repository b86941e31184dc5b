import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { catalog, presets, type CatalogEntry } from '../chord/protocol/catalog';

/** The page that {@link eventsPage} fills. */
export const eventsFile = path.join(__dirname, 'events.md');

const presetsWith = ({ name }: CatalogEntry): string =>
  Object.entries(presets)
    .filter(([preset, events]) => preset !== 'everything' && events !== 'all' && events.includes(name))
    .map(([preset]) => preset)
    .join(', ');

const row = (entry: CatalogEntry): string =>
  `| ${entry.label} | \`${entry.name}\` | ${entry.category} | ${entry.description}${entry.own ? ' (From this package, not from Chord.)' : ''} | ${presetsWith(entry)} |`;

/** The list of events for people, made from the catalog, so that it cannot differ from what the nodes offer. */
export const eventsPage = (): string => `# Events

What a Chord Trigger can wait for. The preset Everything includes all of these, and events that this package does not
know yet. This page is generated from the catalog in \`chord/protocol/catalog.ts\` by \`npm run docs\`.

| event | name in items | category | what it means | presets |
| --- | --- | --- | --- | --- |
${catalog.map(row).join('\n')}
`;

if (require.main === module) {
  writeFileSync(eventsFile, eventsPage());
  console.log(`${readFileSync(eventsFile, 'utf8').split('\n').length} lines in ${path.basename(eventsFile)}`);
}
