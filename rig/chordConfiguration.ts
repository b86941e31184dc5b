import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What the agent may do unasked; the last matching rule wins. Shell commands and changes of files ask first. */
const BUILDER = `name: builder
description: Works in the project
mode: main
model_pools: [standard]
permission:
  "*": allow
  web_fetch: deny
  delete: ask
  write:
    "*": ask
    ".chord/plans/*": allow
  edit: ask
  shell:
    "*": ask
    "git status *": allow
    "rm *": deny
`;

const config = (endpoint: string) => `providers:
  scripted:
    type: chat-completions
    api_url: ${endpoint}
    proxy: ""
    retry_backoff: fixed
    retry_delay_ms: 200
    models:
      scripted-1:
        limit:
          context: 200000
          output: 8192
model_pools:
  standard:
    - scripted/scripted-1
memory:
  enabled: false
maintenance:
  size_check_on_startup: false
`;

/**
 * Writes a throw-away configuration for Chord or its simulator: one model, served at `endpoint` (a whole
 * `chat/completions` address; the simulator calls none), and rules under which a shell command is asked about.
 */
export async function writeChordConfiguration(
  folder: string,
  endpoint = 'http://127.0.0.1:9/v1/chat/completions',
) {
  await mkdir(path.join(folder, 'agents'), { recursive: true });
  await writeFile(path.join(folder, 'config.yaml'), config(endpoint));
  await writeFile(path.join(folder, 'auth.yaml'), 'scripted:\n  - "no-secret"\n', { mode: 0o600 });
  await writeFile(path.join(folder, 'agents', 'builder.yaml'), BUILDER);
}
