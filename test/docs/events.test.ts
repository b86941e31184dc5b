import { readFileSync } from 'node:fs';
import { eventsFile, eventsPage } from '../../docs/events';

test('the page of events is what the catalog says; `npm run docs` writes it anew', () => {
  expect(readFileSync(eventsFile, 'utf8').replace(/ +/g, ' ').replace(/-+/g, '-')).toBe(
    eventsPage().replace(/ +/g, ' ').replace(/-+/g, '-'),
  );
});
