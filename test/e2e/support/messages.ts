import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Scene } from './Scene';

/** What the agent was told, as its session's own file has it. */
export function messagesIn(scene: Scene): string[] {
  const sessions = path.join(scene.folder, 'chord-state', 'sessions');
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => path.basename(file) === 'main.jsonl')
    .flatMap((file) => readFileSync(path.join(sessions, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as { role: string; content: string })
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content);
}
