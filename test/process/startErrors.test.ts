import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startError, startTimeoutError, type FailedStart } from '../../chord/process/failedStart';
import { chordOf } from './support/fixture';

const recordings = path.join(__dirname, '..', 'chord', 'recordings');

interface Recorded {
  dir: string;
  line?: string;
  code?: number;
}

const failed = (changes: Partial<FailedStart>): FailedStart => ({
  exitCode: 1,
  signal: null,
  stderrTail: '',
  lastLine: '',
  noise: '',
  ...changes,
});

/** What the real Chord wrote and how it ended, where it never said ready; the file's name without its ending. */
const failedStarts = readdirSync(recordings)
  .filter((file) => file.startsWith('process-'))
  .map((file) => {
    const lines = readFileSync(path.join(recordings, file), 'utf8').trim().split('\n');
    return { name: file.replace('.jsonl', ''), lines: lines.map((line) => JSON.parse(line) as Recorded) };
  })
  .filter(({ lines }) => !lines.some(({ dir }) => dir === 'out'))
  .map(({ name, lines }) => {
    const stderr = lines.flatMap(({ dir, line }) => (dir === 'err' && line !== undefined ? [line] : []));
    const exitCode = lines.find(({ dir }) => dir === 'exit')?.code ?? null;
    return {
      name,
      failed: failed({ exitCode, stderrTail: `${stderr.join('\n')}\n`, lastLine: stderr.at(-1) ?? '' }),
    };
  });

describe('why a start failed', () => {
  it('is told for every start that the real Chord was seen to fail at', () => {
    const published = failedStarts.map(({ name, failed }) => {
      const { code, message } = startError(failed);
      return `${name}: ${code}: ${message}`;
    });
    expect(published.sort()).toEqual([
      'process-continue-and-resume: invalid_settings: Chord cannot both continue and resume a session.',
      'process-dir-is-file: directory_not_a_folder: The project directory /project/notes.txt is a file, not a folder, where Chord runs.',
      'process-lock-2-resume-locked: session_held: The Chord session 20261130145906390 is open in another Chord process (PID 8483 on vm, since 14:59:06).',
      'process-malformed-config: invalid_configuration: Chord rejected its configuration: load config: parse config /home/user/.config/chord/config.yaml: yaml: line 1: did not find expected node content.',
      'process-missing-dir: directory_missing: The project directory /parent/nowhere does not exist where Chord runs.',
      'process-no-config: no_configuration: Chord has no configuration yet on this machine for the user that runs n8n.',
      'process-resume-bad-id: session_not_found: Chord has no session 19990101000000000 in this project, or the session has no messages yet.',
      "process-unknown-flag: not_chord: The program does not accept Chord's headless command line: unknown flag: --teapot.",
      'process-worktree-bare-flag: exited_before_ready: Chord ended with exit code 1 before it was ready: Error: flag needs an argument: --worktree',
      'process-worktree-outside-git: not_a_repository: A worktree needs a git repository, and there is none at /not-a-repo.',
    ]);
  });

  it.each([
    ['session S1 is already open in another Chord process', 'session_held'],
    ['Error: session S1 has a corrupt session.lock: unexpected end', 'session_held'],
    ['Error: create .chord directory: mkdir /p/.chord: permission denied', 'directory_unreadable'],
    ['Error: load agent configs: yaml: line 3', 'invalid_configuration'],
    ['Error: no initial provider resolved from builder agent config', 'invalid_configuration'],
    ['Error: worktree name "x y" contains forbidden character " "', 'invalid_name'],
    ['Error: worktree name ".a" must not start with "."', 'invalid_name'],
    [
      "Error: git worktree add -B chord/w1 /state/worktrees/66566b72b59402a9/w1 HEAD: Preparing worktree (new branch 'chord/w1')\nfatal: not a valid object name: 'HEAD'",
      'repository_empty',
    ],
    [
      "Error: git worktree add -B chord/w1 /state/worktrees/7df131f4bed517ad/w1 HEAD: Preparing worktree (new branch 'chord/w1')\nfatal: cannot lock ref 'refs/heads/chord/w1': 'refs/heads/chord' exists; cannot create 'refs/heads/chord/w1'",
      'worktree_failed',
    ],
    [
      'Error: nested worktree creation refused: /p/w is inside a linked worktree; create from the main repo',
      'worktree_failed',
    ],
    ["cat: invalid option -- 'd'", 'not_chord'],
    ["ls: cannot access 'headless': No such file or directory", 'not_chord'],
    ["git: 'headless' is not a git command. See 'git --help'.", 'not_chord'],
    [
      "Error: Cannot find module '/p/headless'\nnode:internal/modules/cjs/loader:1228\n'/p/headless'",
      'not_chord',
    ],
    ['/bin/bash: headless: No such file or directory', 'not_chord'],
    ['Error: unknown command "headless" for "tool"', 'not_chord'],
    ['[W 2030] config: ignoring invalid value: load config', 'exited_before_ready'],
  ])('reads %j as %s', (stderrTail, code) => {
    expect(startError(failed({ stderrTail, lastLine: stderrTail }))).toMatchObject({
      code,
      facts: { exitCode: 1, stderrTail },
    });
  });

  it('B46: shows exit code and stderr of a program that ends before ready, and speaks of no time limit', async () => {
    const { chord, seen } = chordOf('exits-before-ready.mjs', { commandArguments: ['3', 'no api key'] });
    await expect(chord.start(seen)).rejects.toMatchObject({
      code: 'exited_before_ready',
      message: 'Chord ended with exit code 3 before it was ready: no api key',
      facts: { exitCode: 3, stderrTail: 'no api key\n' },
    });
    expect(seen.exits).toEqual([]);
  });

  it('tells by which signal it was ended', async () => {
    const { chord, seen } = chordOf('killed-before-ready.mjs');
    await expect(chord.start(seen)).rejects.toMatchObject({
      code: 'exited_before_ready',
      message: 'Chord ended by signal SIGKILL before it was ready.',
      facts: { exitCode: null, signal: 'SIGKILL' },
    });
  });

  it.each([
    ['/bin/echo', 'ended with exit code 0 before it was ready, after writing: headless -d'],
    ['true', 'ended with exit code 0 before it was ready, without any output'],
    ['cat', "cat: invalid option -- 'd'"],
    ['node', 'Cannot find module'],
  ])('says of %s that it is not Chord', async (command, message) => {
    const { chord, seen } = chordOf('', { command });
    await expect(chord.start(seen)).rejects.toMatchObject({
      code: 'not_chord',
      message: expect.stringContaining(message) as string,
    });
  });

  it('names tool servers as a cause where the start is slow', () => {
    const error = startTimeoutError(failed({ exitCode: null, lastLine: 'connecting' }), 2000);
    expect(error).toMatchObject({
      code: 'start_timeout',
      message: 'Chord was not ready within 2 s and was stopped. Its last line on stderr: connecting',
      description: expect.stringContaining('MCP') as string,
    });
  });
});
