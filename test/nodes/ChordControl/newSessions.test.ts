import type { IDataObject } from 'n8n-workflow';
import { until } from '../../support/until';
import { shutDownRegistry } from '../support/ChordProject';
import { files, steps, itemOf } from '../support/controlScene';
import { profiles, useScene } from '../support/Scene';

jest.setTimeout(60_000);

afterAll(shutDownRegistry);

/** Where each result says that it was made. */
const sessionOf = (item: IDataObject): unknown => (item.session as IDataObject).id;

describe.each(profiles)('a new session for each execution, on %s', (profile) => {
  const scene = useScene(profile, steps, { files });

  const send = (task: string, parameters?: IDataObject) => scene.send(task, parameters);

  const anew = (task: string, options: IDataObject = {}) =>
    send(task, { sessionOptions: { startMode: 'new' }, options });

  /** The messages that Chord read since `before`, in order. */
  const read = (before: number) =>
    scene.project
      .commands('send')
      .slice(before)
      .map(({ content }) => content);

  test.each([
    ['where no process runs yet', false],
    ['beside a session that is in use', true],
  ])('three at once, %s', async (_, runs) => {
    if (runs) await send('hello');
    const before = scene.project.commands('send').length;
    const items = (await Promise.all(['one', 'two', 'three'].map((task) => anew(task)))).map(itemOf);
    expect(new Set(items.map(sessionOf)).size).toBe(3);
    expect(items.map(({ text, shared }) => [text, shared])).toEqual(items.map(() => ['Yes.', undefined]));
    const lines = read(before);
    // The first one has the session that was begun with the process.
    if (!runs) lines.unshift('/new');
    expect(lines).toHaveLength(6);
    expect([0, 2, 4].map((at) => lines[at])).toEqual(['/new', '/new', '/new']);
    expect([1, 3, 5].map((at) => lines[at]).sort()).toEqual(['one', 'three', 'two']);
  });

  test('nobody else slips in between, however ready to join', async () => {
    await send('hello');
    const before = scene.project.commands('send').length;
    const first = anew('one');
    // In the moment in which the new session is begun.
    await until(() => read(before).includes('/new'));
    const [joined, waiting] = [send('joined', { options: { whenBusy: 'join' } }), send('waiting')];
    const items = (await Promise.all([first, joined, waiting])).map(itemOf);
    expect(read(before).slice(0, 2)).toEqual(['/new', 'one']);
    expect(read(before)).toHaveLength(4);
    expect(new Set(items.map(sessionOf)).size).toBe(1);
  });

  test('an open request is treated as the node says, and nothing is begun where nothing is sent', async () => {
    await scene.ask('plan');
    const before = scene.project.commands('send').length;
    expect((await anew('one')).error?.context.code).toBe('request_open');
    expect(itemOf(await anew('one', { whenRequestOpen: 'skip' })).outcome).toBe('skipped');
    expect(read(before)).toEqual([]);
    expect(itemOf(await anew('one', { whenRequestOpen: 'dismiss' }))).toMatchObject({ text: 'Yes.' });
    expect(read(before)).toEqual(['/new', 'one']);
  });
});
