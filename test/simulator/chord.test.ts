import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until';
import { PATIENCE } from './support/Heard';
import { processes } from './support/processes';

const all = processes();

const config = () => join(all.box.home, '.config/chord/config.yaml');

describe('start-up, as recorded', () => {
  it('needs a configuration, and makes .chord all the same', async () => {
    rmSync(join(all.box.home, '.config/chord'), { recursive: true });
    await all.same('process-no-config');
    expect(existsSync(join(all.box.work, '.chord'))).toBe(true);
  });

  it('refuses a broken configuration', async () => {
    writeFileSync(config(), 'providers: [\n');
    await all.same('process-malformed-config');
  });

  it('warns about a key that it does not know', async () => {
    appendFileSync(config(), 'teapot_mode: true\n');
    await all.same('process-unknown-config-key');
  });

  it('works without a file of keys', async () => {
    rmSync(join(all.box.home, '.config/chord/auth.yaml'));
    await all.same('process-no-auth-file');
  });

  it.each([
    ['process-resume-bad-id', ['--resume', '19990101000000000']],
    ['process-continue-none', ['--continue']],
    ['process-continue-and-resume', ['--continue', '--resume', 'x']],
    ['process-unknown-flag', ['--teapot']],
    ['process-worktree-bare-flag', ['--worktree']],
    ['process-no-requests-at-rest', []],
  ])('%s', async (name, args) => {
    await all.same(name, { args });
  });

  it('refuses a directory that is missing, and does not make it', async () => {
    const directory = join(all.box.root, 'nowhere');
    await all.same('process-missing-dir', { directory });
    expect(existsSync(directory)).toBe(false);
  });

  it('refuses a directory that is a file', async () => {
    await all.same('process-dir-is-file', { directory: join(all.box.work, 'notes.txt') });
  });

  it('works outside of git', async () => {
    await all.same('process-plain-directory', { directory: all.plainFolder() });
  });

  it('continues the latest session', async () => {
    const child = all.start();
    child.send({ type: 'send', content: 'Hello.' });
    await child.next('idle');
    await child.end();
    await all.same('process-ready-warm', { args: ['--continue'] });
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
    await all.same(name);
  });
});

describe('stdin and stdout', () => {
  it('loses no line when nobody reads for a while', async () => {
    const child = all.start();
    await child.next('ready');
    child.process.stdout?.pause();
    for (let at = 0; at < 400; at += 1) child.send({ type: `${'x'.repeat(2000)}${at}` });
    child.process.stdout?.resume();
    await until(() => child.raw.length === 401, { ...PATIENCE, what: '400 answers' });
    expect(child.raw.at(-1)).toContain('x399');
  });

  it('K7: runs an unterminated last line, and takes a line of exactly one MiB', async () => {
    const child = all.start();
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
