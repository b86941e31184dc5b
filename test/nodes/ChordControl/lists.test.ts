import type { IDataObject } from 'n8n-workflow';
import type { ProfileName } from '../../../simulator/wire/profile';
import { shutDownRegistry } from '../support/ChordProject';
import { files, steps, itemOf } from '../support/controlScene';
import { chordNode } from '../support/flow';
import { Scene } from '../support/Scene';

jest.setTimeout(60_000);

afterAll(shutDownRegistry);

describe('lists for the editor', () => {
  let scene: Scene;

  const search = async (method: string, parameters: IDataObject = {}, filter?: string) =>
    await scene.engine.search(
      chordNode('Node', 'chordControl', { sessionName: scene.sessionName, ...parameters } as never),
      method,
      filter,
    );

  const create = async (profile: ProfileName) => {
    scene = await Scene.create(profile, steps, { files });
    scene.nextSession();
  };

  test('pools, agents and roles, without any message', async () => {
    await create('d2');
    await scene.control('setModelPool', { pool: 'thinking' });
    const before = scene.project.commands('send').length;
    expect(await search('searchModelPools')).toEqual([
      { name: 'thinking (active)', value: 'thinking' },
      { name: 'standard', value: 'standard' },
    ]);
    expect(await search('searchAgents', {}, 'help')).toEqual([
      { name: 'helper (standard)', value: 'helper' },
    ]);
    expect(await search('searchRoles')).toEqual([
      { name: 'builder (active)', value: 'builder' },
      { name: 'planner', value: 'planner' },
    ]);
    expect(scene.project.commands('send')).toHaveLength(before);
  });

  test('roles on a Chord that has none: the error says so', async () => {
    await create('d1');
    await expect(search('searchRoles')).rejects.toThrow('This version of Chord has no roles to choose from.');
  });

  test('the sessions of the project, with first message, date and size, from Chord’s files', async () => {
    await create('d1');
    const task = (message: string) =>
      scene.run('chordSend', [{}], { message, sessionName: scene.sessionName });
    const first = itemOf(await task('hello tea')).session as IDataObject;
    const { active_session_id: second } = itemOf(await scene.control('newSession'));
    await task('hello coffee');
    await scene.control('stopProcess');
    const starts = scene.project.recorded('session').length;
    const found = await search('searchSessions');
    expect(found.map(({ value }) => value)).toEqual([second, first.id]);
    expect(found[0]?.name).toMatch(/^hello coffee · \d{4}-\d\d-\d\d \d\d:\d\d · \d+ (B|KB)$/);
    expect((await search('searchSessions', {}, 'TEA')).map(({ value }) => value)).toEqual([first.id]);
    expect(scene.project.recorded('session')).toHaveLength(starts);
  });

  test.each(['={{ $json.folder }}', '={{ null }}'])(
    'a directory that cannot be told yet (%s) gives one clear error, never another folder’s list',
    async (projectDirectory) => {
      await create('d1');
      for (const method of [
        'searchSessions',
        'searchRoles',
        'searchModelPools',
        'searchAgents',
        'searchWaits',
      ]) {
        await expect(search(method, { projectDirectory })).rejects.toThrow(
          'To load this list, use fixed values, or type an ID',
        );
      }
      expect(scene.project.recorded('session')).toEqual([]);
    },
  );

  test('Chord Handoff: agents and pools of the open plan, else an error', async () => {
    await create('d2');
    const offers = async (method: string, parameters: IDataObject = {}) =>
      await scene.engine.search(chordNode('Node', 'chordHandoff', parameters as never), method);
    const named = { sessionFrom: 'named', sessionName: scene.sessionName };
    await expect(offers('searchOfferedAgents', named)).rejects.toThrow('No plan is waiting');
    await scene.ask('plan');
    const before = scene.project.commands('send').length;
    // Left to be found, any session's plan can be meant.
    for (const parameters of [{}, named]) {
      expect(await offers('searchOfferedAgents', parameters)).toEqual([
        { name: 'planner', value: 'planner' },
      ]);
    }
    expect((await offers('searchOfferedPools', named)).map(({ value }) => value).sort()).toEqual([
      'standard',
      'thinking',
    ]);
    await expect(offers('searchOfferedPools', { ...named, sessionName: 'another' })).rejects.toThrow(
      'No plan is waiting',
    );
    expect(scene.project.commands('send')).toHaveLength(before);
  });
});
