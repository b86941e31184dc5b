import { useTasks } from '../support/Tasks';

jest.setTimeout(60_000);

const tasks = useTasks();

describe('Status', () => {
  it('starts nothing: a session that does not run is no error', async () => {
    const { items } = await tasks.status();
    expect(items('Status')[0]?.json).toMatchObject({ running: false, stopped_because: 'never_started' });
  });

  it('starts Chord where that is asked', async () => {
    const { items } = await tasks.status({ options: { startIfNeeded: true, diagnostics: true } });
    expect(items('Status')[0]?.json).toMatchObject({ running: true, busy: false, open_requests: [] });
    expect(items('Status')[0]?.json.diagnostics).not.toBeNull();
  });
});
