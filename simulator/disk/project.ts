import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { decode, isRecord } from '../wire/json';
import type { ProjectLocation } from './locations';

function createdAt(file: string, now: string): string {
  try {
    const known = decode(readFileSync(file, 'utf8'));
    return isRecord(known) && typeof known.created_at === 'string' ? known.created_at : now;
  } catch {
    return now;
  }
}

/** Makes the project's folder and notes the project in `projects/<key>.json`, whose `sessions_dir` is relative to the state folder. */
export function registerProject(project: ProjectLocation, now: Date): void {
  mkdirSync(project.sessionsDir, { recursive: true, mode: 0o700 });
  mkdirSync(dirname(project.registryFile), { recursive: true });
  const at = now.toISOString();
  const document = {
    schema_version: 1,
    project_key: project.key,
    canonical_root: project.root,
    logical_root: project.logicalRoot,
    sessions_dir: `sessions/${project.key}`,
    runtime_cache_dir: `runtime/session-cache/${project.key}`,
    display_name: basename(project.root),
    created_at: createdAt(project.registryFile, at),
    last_used_at: at,
  };
  for (const file of [join(project.sessionsDir, 'project.json'), project.registryFile]) {
    const draft = `${file}.tmp-${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(document, null, 2)}\n`);
    renameSync(draft, file);
  }
}
