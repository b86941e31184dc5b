import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Step } from '../../simulator/scenario/scenario';
import { shutDownRegistry } from './support/ChordProject';
import { Scene } from './support/Scene';

jest.setTimeout(60_000);

/** Written by Go as `\u0026` and `\u003c` inside of JSON, and by the form as an entity. */
const secret = 'hu"sh&<7';

const command = `curl -u '${secret}' https://host/production`;

let scene: Scene;

beforeAll(async () => {
  const asks = { name: 'shell', args: { command, description: `with ${secret}` } };
  const steps: Step[] = [
    { times: 'any', when: { last_role: 'tool' }, reply: { text: `I used ${secret} in production.` } },
    { times: 'any', when: { last_role: 'user' }, reply: { text: `Now ${secret}.`, tool_calls: [asks] } },
  ];
  const environment = { API_TOKEN: secret, STAGE: 'production' };
  scene = await Scene.create('d2', steps, { environment, credential: { auditArguments: true } });
});

afterAll(shutDownRegistry);

/** However the pieces between are written. */
const anySpelling = /hu.{1,12}sh.{1,12}7/;

const withoutSecret = (text: string): string => {
  expect(text).not.toMatch(anySpelling);
  return text;
};

test('no secret is shown from the request to the report and the audit; harmless words are', async () => {
  const asked = await scene.ask('go');
  expect(withoutSecret(JSON.stringify(asked))).toContain("curl -u '***' https://host/production");

  const confirmed = await scene.run('chordConfirm', [asked], { decision: 'allow', waitFor: 'turn' });
  expect(withoutSecret(JSON.stringify(confirmed.items('Node')))).toContain('I used *** in production.');

  const folder = path.join(process.env.N8N_USER_FOLDER ?? '', '.n8n/chord');
  const audit = readFileSync(path.join(folder, 'audit.jsonl'), 'utf8');
  expect(withoutSecret(audit)).toContain("curl -u '***'");
  // Chord ran what it had asked for.
  expect(scene.project.commands('confirm')).toEqual([
    expect.not.objectContaining({ final_args_json: expect.anything() as unknown }),
  ]);
});
