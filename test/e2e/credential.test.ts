import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { Scene } from './support/Scene';

describe('the test of the credential, as n8n runs it', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ steps: [] });
  });

  const check = (data: object) => {
    const { id, name } = scene.credentials.chordHeadlessApi ?? { id: '', name: '' };
    return scene.client.testCredential(id, name, 'chordHeadlessApi', { ...scene.credentialData, ...data });
  };

  test('says OK where Chord starts, and leaves no session behind', async () => {
    expect(await check({})).toMatchObject({ status: 'OK' });
    const left = await readdir(path.join(scene.folder, 'chord-state', 'sessions')).catch(() => []);
    expect(left).toEqual([]);
  });

  test('B23: names a program that does not exist', async () => {
    const { status, message } = await check({ command: '/nowhere/chord', commandArguments: '' });
    expect(status).toBe('Error');
    expect(message).toContain('/nowhere/chord');
  });

  test('B47: names a project directory that does not exist, and does not blame the program', async () => {
    const { status, message } = await check({ projectDirectory: '/nowhere/project' });
    expect(status).toBe('Error');
    expect(message).toContain('/nowhere/project');
  });

  test('never shows a value of the environment', async () => {
    const variables = [
      { name: 'CHORD_CONFIG_HOME', value: '/nowhere/config' },
      { name: 'SECRET_TOKEN', value: 'swordfish-4711' },
    ];
    const { status, message } = await check({ environment: { variables } });
    expect(status).toBe('Error');
    expect(message).not.toContain('swordfish');
  });
});
