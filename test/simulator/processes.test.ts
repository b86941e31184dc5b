import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until';
import { Child } from './support/child';
import { PATIENCE } from './support/heard';
import { sandbox, scenarioFile, SIMULATOR, type Sandbox } from './support/lab';
import { Normaliser, recording, type Row } from './support/recording';
import { replay } from './support/replay';

/** What the model answers in the lab's process cases. */
const HELLO = {
  name: 'edge',
  steps: [
    { id: 'hello', when: { last_user: 'Hello.' }, times: 'any', reply: { text: 'Hello.' } },
    {
      id: 'recall',
      when: { last_user: 'What did I say first?', any: 'Hello.' },
      times: 'any',
      reply: { text: 'You said hello.' },
    },
    {
      id: 'drip',
      when: { last_user: 'Drip.' },
      times: 'any',
      reply: { text: { repeat: 'drip ', count: 200 }, chunk_chars: 5, chunk_delay_ms: 50 },
    },
  ],
};

let box: Sandbox;
let recorded: Normaliser;
let actual: Normaliser;
const children: Child[] = [];
const folders: string[] = [];

beforeEach(() => {
  box = sandbox({ CHORD_SIMULATOR_PROFILE: 'd1' });
  box.env.CHORD_SIMULATOR_SCENARIO = scenarioFile(box, HELLO);
  recorded = new Normaliser();
  actual = new Normaliser([...box.places, [box.root, '/parent']]);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  box.remove();
});

/** A folder that is not in git. */
function plainFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plain-')));
  folders.push(folder);
  return folder;
}

interface Options {
  args?: string[];
  directory?: string;
  env?: Record<string, string>;
}

function start({ args, directory, env }: Options = {}): Child {
  const child = new Child(box, args, env, directory);
  children.push(child);
  return child;
}

/** Plays one recorded process and compares everything that was seen of it. */
async function same(name: string, options: Options = {}, stop?: (row: Row) => boolean): Promise<Child> {
  const child = start(options);
  const { expected, got } = await replay(
    child,
    recording(name),
    { recorded, actual },
    stop ? { until: stop } : {},
  );
  expect(got).toEqual(expected);
  return child;
}

const config = () => join(box.home, '.config/chord/config.yaml');

describe('start-up, as recorded', () => {
  it('needs a configuration, and makes .chord all the same', async () => {
    rmSync(join(box.home, '.config/chord'), { recursive: true });
    await same('process-no-config');
    expect(existsSync(join(box.work, '.chord'))).toBe(true);
  });

  it('refuses a broken configuration', async () => {
    writeFileSync(config(), 'providers: [\n');
    await same('process-malformed-config');
  });

  it('warns about a key that it does not know', async () => {
    appendFileSync(config(), 'teapot_mode: true\n');
    await same('process-unknown-config-key');
  });

  it('works without a file of keys', async () => {
    rmSync(join(box.home, '.config/chord/auth.yaml'));
    await same('process-no-auth-file');
  });

  it.each([
    ['process-resume-bad-id', ['--resume', '19990101000000000']],
    ['process-continue-none', ['--continue']],
    ['process-continue-and-resume', ['--continue', '--resume', 'x']],
    ['process-unknown-flag', ['--teapot']],
    ['process-worktree-bare-flag', ['--worktree']],
    ['process-no-requests-at-rest', []],
  ])('%s', async (name, args) => {
    await same(name, { args });
  });

  it('refuses a directory that is missing, and does not make it', async () => {
    const directory = join(box.root, 'nowhere');
    await same('process-missing-dir', { directory });
    expect(existsSync(directory)).toBe(false);
  });

  it('refuses a directory that is a file', async () => {
    await same('process-dir-is-file', { directory: join(box.work, 'notes.txt') });
  });

  it('works outside of git', async () => {
    await same('process-plain-directory', { directory: plainFolder() });
  });

  it('needs git for a worktree', async () => {
    const directory = plainFolder();
    actual = new Normaliser([[directory, '/not-a-repo']]);
    await same('process-worktree-outside-git', { directory, args: ['-w', 'brew'] });
  });

  it.each([
    ['a name with a slash', 'a/b', 'Error: worktree name "a/b" contains forbidden character "/"'],
    ['a repository without commits', 'brew', "fatal: not a valid object name: 'HEAD'"],
  ])('refuses a worktree for %s', (_, name, words) => {
    const directory = plainFolder();
    execFileSync('git', ['init', '-q', directory]);
    const { status, stderr } = spawnSync(
      process.execPath,
      [SIMULATOR, 'headless', '-d', directory, '-w', name],
      {
        env: box.env,
        encoding: 'utf8',
        input: '',
      },
    );
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  });

  it('makes a worktree, and enters it the next time', async () => {
    await same('process-worktree', { args: ['-w', 'brew'] });
    await same('process-worktree-2-again', { args: ['-w', 'brew', '--continue'] });
  });

  it('continues the latest session', async () => {
    const child = start();
    child.send({ type: 'send', content: 'Hello.' });
    await child.next('idle');
    await child.end();
    await same('process-ready-warm', { args: ['--continue'] });
  });
});

describe('locks, as recorded', () => {
  it('lets one process at a time have a session', async () => {
    const holder = await same('process-lock-1-holder', {}, (row) => row.dir === 'exit');
    const id = holder.lines[0]!.payload.session_id as string;
    await same('process-lock-2-resume-locked', { args: ['--resume', id] });
    await same('process-lock-3-continue-locked', { args: ['--continue'] });
    await same('process-lock-4-plain-second');
    expect(await holder.end()).toEqual({ code: 0, signal: null });
    await same('process-lock-5-resume-free', { args: ['--resume', id] });
  });

  it('is not held up by the lock of a killed process', async () => {
    const killed = await same('process-resume-after-kill-1-killed');
    const id = killed.lines[0]!.payload.session_id as string;
    await same('process-resume-after-kill-2-resumed', { args: ['--resume', id] });
  });

  it('resumes a session with nothing but an unanswered message', async () => {
    const killed = await same('process-kill-midstream-resume-1-killed');
    const id = killed.lines[0]!.payload.session_id as string;
    await same('process-kill-midstream-resume-2-resumed', { args: ['--resume', id] });
  });
});

describe('the end, as recorded', () => {
  it.each([
    'process-eof-idle',
    'process-eof-busy',
    'process-eof-right-after-send',
    'process-sigint-1-idle',
    'process-sigterm-1-idle',
    'process-sigterm-2-busy',
  ])('%s', async (name) => {
    await same(name);
  });

  it('K9: leaves when its parent is gone, though stdin stays open', async () => {
    const fifo = join(box.root, 'stdin');
    execFileSync('mkfifo', [fifo]);
    const script = '"$1" headless -d "$2" <>"$3" >"$4/out" & echo $! >"$4/pid"; read -r _';
    const shell = spawn('bash', ['-c', script, 'x', SIMULATOR, box.work, fifo, box.root], {
      env: box.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const out = join(box.root, 'out');
    await until(() => existsSync(out) && readFileSync(out, 'utf8').includes('"ready"'), {
      ...PATIENCE,
      what: 'ready',
    });
    const pid = Number(readFileSync(join(box.root, 'pid'), 'utf8'));
    const alive = () => {
      try {
        process.kill(pid, 0);
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    };
    expect(alive()).toBe(true);
    shell.stdin.end('\n');
    await until(() => !alive(), { ...PATIENCE, what: 'the orphan to end' });
  });
});

describe('stdin and stdout', () => {
  it('loses no line when nobody reads for a while', async () => {
    const child = start();
    await child.next('ready');
    child.process.stdout?.pause();
    for (let at = 0; at < 400; at += 1) child.send({ type: `${'x'.repeat(2000)}${at}` });
    child.process.stdout?.resume();
    await until(() => child.raw.length === 401, { ...PATIENCE, what: '400 answers' });
    expect(child.raw.at(-1)).toContain('x399');
  });

  it('K7: runs an unterminated last line, and takes a line of exactly one MiB', async () => {
    const child = start();
    await child.next('ready');
    const frame = JSON.stringify({ type: '' }).length;
    child.send({ type: 'x'.repeat(1024 * 1024 - 1 - frame) });
    const { payload } = await child.next('error');
    expect(payload.code).toBeUndefined();
    child.send({ type: 'x'.repeat(1024 * 1024 - frame) });
    await child.next('error', { code: 'stdin_line_too_long' });
    child.process.stdin?.end('{"type":"status"}');
    expect(await child.ended()).toEqual({ code: 0, signal: null });
    expect(child.lines.at(-1)!.type).toBe('status_response');
  });
});

describe('the command line', () => {
  const run = (...args: string[]) => {
    try {
      return execFileSync(SIMULATOR, args, {
        cwd: box.work,
        env: box.env,
        encoding: 'utf8',
        stdio: 'pipe',
        input: '',
      });
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return `${status} ${stderr}`;
    }
  };

  it('says its version as Chord does', () => expect(run('--version')).toMatch(/^chord version \S+/));

  it.each([
    [['brew'], '1 Error: unknown command "brew" for "chord"\n'],
    [['headless', '-x'], "1 Error: unknown shorthand flag: 'x' in -x\n"],
    [['headless', '-w'], "1 Error: flag needs an argument: 'w' in -w\n"],
    [['headless', '--resume'], '1 Error: flag needs an argument: --resume\n'],
    [['headless', '-cr', 'x'], '1 Error: --continue and --resume are mutually exclusive\n'],
    [['headless', '--version'], '1 Error: unknown flag: --version\n'],
    [
      ['headless', '--continue=maybe'],
      '1 Error: invalid argument "maybe" for "-c, --continue" flag: strconv.ParseBool: parsing "maybe": invalid syntax\n',
    ],
  ])('%j', (args, answer) => expect(run(...args)).toBe(answer));
});
