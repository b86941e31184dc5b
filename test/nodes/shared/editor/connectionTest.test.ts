import { useTasks } from '../../support/Tasks';

jest.setTimeout(60_000);

const tasks = useTasks();

describe("the credential's test", () => {
  it('starts Chord', async () => {
    expect(await tasks.engine.testCredential(tasks.project.credential)).toMatchObject({ status: 'OK' });
  });

  it.each([
    ['a program that is not there', { command: '/nowhere/chord' }, '/nowhere/chord'],
    ['a directory that is not there', { projectDirectory: '/does/not/exist' }, '/does/not/exist'],
    ['a time limit that is none', { startTimeoutSeconds: 'soon' }, 'startTimeoutSeconds'],
  ])('never throws, and says what is wrong: %s', async (_what, change, named) => {
    const { status: result, message } = await tasks.engine.testCredential({
      ...tasks.project.credential,
      ...change,
    });
    expect(result).toBe('Error');
    expect(message).toContain(named);
    expect(message).not.toContain('\n');
  });
});
