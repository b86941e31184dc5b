import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { isRecord } from '../wire/json';

/** The part of `config.yaml` that changes what is seen on the wire. */
export interface Config {
  file: string;
  /** Pool name to model references (`provider/model`). */
  pools: Record<string, string[]>;
  providers: Record<string, Provider>;
  /** Seconds until an unanswered confirmation is denied; 0 means never. */
  confirmTimeout: number;
  /** Seconds until an optional question ends unanswered; 0 means never. */
  questionTimeout: number;
  /** Seconds until a question with a default takes it; 0 means never. */
  questionAutoSelectTimeout: number;
  /** Rounds after which Chord gives up on a model; 0 means never. */
  retryRounds: number;
  mcp: Record<string, McpServer>;
  /** Warnings for stderr, one for each value that was ignored. */
  problems: string[];
}

/** How a provider is reached and how long to wait between attempts. */
export interface Provider {
  url: string;
  backoff: 'fixed' | 'exponential' | 'none';
  /** Milliseconds before the second round. */
  delay: number;
}

/** A tool server that Chord starts before it is ready. */
export interface McpServer {
  command: string;
  args: string[];
}

/** The keys that Chord knows at the top of `config.yaml`; others are warned about and ignored. Not measured: the list is from the sources. */
const KNOWN = new Set(
  (
    'providers model_pools model_templates orchestration context skills confirm_timeout question_timeout ' +
    'question_auto_select_timeout diff desktop_notification desktop_notification_foreground prevent_sleep keymap ' +
    'commands ime_switch_target log_level paths maintenance lsp diagnostics mcp hooks max_output_tokens ' +
    'stream_retry_rounds proxy memory web_fetch worktree thinking_translation'
  ).split(' '),
);

/** Why Chord does not start. */
export class StartupError extends Error {}

function parse(file: string): { value: Record<string, unknown>; lines: Map<string, number> } {
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text, { lineCounter: undefined });
  const error = document.errors[0];
  if (error) {
    const line = Math.max(1, (error.linePos?.[0].line ?? 2) - 1);
    throw new StartupError(
      `load config: parse config ${file}: yaml: line ${line}: did not find expected node content`,
    );
  }
  const lines = new Map<string, number>();
  const value: unknown = document.toJS() ?? {};
  for (const key of Object.keys(isRecord(value) ? value : {})) {
    lines.set(key, text.split('\n').findIndex((line) => line.startsWith(`${key}:`)) + 1);
  }
  return { value: isRecord(value) ? value : {}, lines };
}

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);

function providerOf(value: unknown): Provider {
  const fields = isRecord(value) ? value : {};
  const backoff =
    fields.retry_backoff === 'fixed' || fields.retry_backoff === 'none'
      ? fields.retry_backoff
      : 'exponential';
  return { url: String(fields.api_url ?? ''), backoff, delay: numberOr(fields.retry_delay_ms, 1000) };
}

const recordOf = (value: unknown) => (isRecord(value) ? value : {});

/**
 * Reads `config.yaml` of the configuration folder, with the project's `.chord/config.yaml` laid over it.
 *
 * The project's `.chord` folder is made even when there is no configuration to read (measured).
 */
export function loadConfig(home: string, project: string): Config {
  mkdirSync(join(project, '.chord'), { recursive: true });
  const file = join(home, 'config.yaml');
  if (!existsSync(file)) {
    throw new StartupError(
      'no config.yaml found; run `chord` once in an interactive terminal to complete initial setup',
    );
  }
  const global = parse(file);
  const overlayFile = join(project, '.chord', 'config.yaml');
  const overlay = existsSync(overlayFile) ? parse(overlayFile) : undefined;
  const problems = [{ file, ...global }, ...(overlay ? [{ file: overlayFile, ...overlay }] : [])].flatMap(
    (source) =>
      Object.keys(source.value)
        .filter((key) => !KNOWN.has(key))
        .map(
          (key) =>
            `config ${source.file}: ignoring invalid value: line ${source.lines.get(key)}: field ${key} not found in type config.Config`,
        ),
  );
  const value = { ...global.value, ...overlay?.value };
  return {
    file,
    pools: Object.fromEntries(
      Object.entries(recordOf(value.model_pools)).map(([name, models]) => [
        name,
        ([] as string[]).concat(models as string[]),
      ]),
    ),
    providers: Object.fromEntries(
      Object.entries(recordOf(value.providers)).map(([name, provider]) => [name, providerOf(provider)]),
    ),
    confirmTimeout: numberOr(value.confirm_timeout, 0),
    questionTimeout: numberOr(value.question_timeout, 0),
    questionAutoSelectTimeout: numberOr(value.question_auto_select_timeout, 0),
    retryRounds: numberOr(value.stream_retry_rounds, 0),
    mcp: Object.fromEntries(
      Object.entries(recordOf(value.mcp))
        .map(([name, server]) => [name, recordOf(server)] as const)
        .filter(([, server]) => typeof server.command === 'string' && server.manual !== true)
        .map(([name, server]) => [
          name,
          { command: String(server.command), args: ((server.args ?? []) as unknown[]).map(String) },
        ]),
    ),
    problems,
  };
}
