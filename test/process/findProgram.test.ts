import { copyFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram, programCandidates, refuseWindowsScript } from '../../chord/process/findProgram';
import { taskkillArguments } from '../../chord/process/spawnProgram';
import { bundledHost, nobody, openFolder, startHost } from './support/host';
import { chordOf, fixture, settingsFor } from './support/fixture';
import { temporaryFolder } from '../support/temporaryFolder';

const find = (command: string, PATH = '/empty') => findProgram(command, { PATH }, 'linux');

/** An error with this code whose message has these words. */
const refusal = (code: string, words: string) => ({
  code,
  message: expect.stringContaining(words) as string,
});

describe('finding the program', () => {
  it('B23: names the PATH that was searched, and where', async () => {
    await expect(find('chord', '/empty:/also-empty')).rejects.toMatchObject({
      code: 'binary_not_found',
      message:
        'The program chord was not found on the machine or in the container where n8n runs; searched the PATH /empty:/also-empty.',
      description: expect.stringContaining('as the command in the Chord credential') as string,
    });
    for (const [value, shown] of [
      ['/empty', '/empty'],
      ['', '(which is empty)'],
    ] as const) {
      const { chord, seen } = chordOf('', { command: 'chord', environment: [{ name: 'PATH', value }] });
      await expect(chord.start(seen)).rejects.toMatchObject(
        refusal('binary_not_found', `searched the PATH ${shown}.`),
      );
    }
  });

  it('B23: names the path that is missing', async () => {
    await expect(find('/opt/nowhere/chord')).rejects.toMatchObject({
      code: 'binary_not_found',
      message:
        'The program /opt/nowhere/chord was not found on the machine or in the container where n8n runs.',
    });
  });

  it('says that arguments do not belong in the command', async () => {
    await expect(find('chord --verbose')).rejects.toMatchObject({
      code: 'binary_not_found',
      description: expect.stringContaining('Do not put arguments into the command') as string,
    });
  });

  it('B23: has a sentence of its own for a file that may not be executed', async () => {
    await expect(find(fixture('not-executable.mjs'))).rejects.toMatchObject({
      code: 'binary_not_executable',
      message: expect.stringContaining('is not allowed to run it') as string,
      description: expect.stringContaining('chmod +x') as string,
    });
  });

  it('B23: has a sentence of its own for a text file, which the system would run as a shell script', async () => {
    await expect(find(fixture('plain-text'))).rejects.toMatchObject(
      refusal('not_chord', 'is a text file, not a program'),
    );
  });

  it('B23: has a sentence of its own for a folder, for nothing, and for a missing interpreter', async () => {
    await expect(find(fixture('.'))).rejects.toMatchObject(refusal('binary_not_executable', 'is a folder'));
    await expect(find('  ')).rejects.toMatchObject({ code: 'invalid_settings' });
    const { chord, seen } = chordOf('no-interpreter');
    await expect(chord.start(seen)).rejects.toMatchObject(
      refusal('binary_not_executable', 'the interpreter named in its first line'),
    );
  });

  it('B23: says that a program cannot be reached by the user that runs n8n', async () => {
    const folder = openFolder();
    const hidden = path.join(folder, 'hidden');
    mkdirSync(hidden);
    copyFileSync(fixture('silent.mjs'), path.join(hidden, 'chord'));
    chmodSync(hidden, 0o000);
    const settings = settingsFor('', { command: path.join(hidden, 'chord'), projectDirectory: folder });
    const { line } = await startHost(bundledHost(), { settings, directory: folder }, { user: nobody });
    expect(line).toMatchObject({
      code: 'binary_not_executable',
      message: `The user that runs n8n does not have permission to reach ${path.join(hidden, 'chord')}.`,
    });
  });

  it('takes the first file of the PATH that can be run, as a shell does', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(first, 'chord'), '#!/bin/sh\n', { mode: 0o644 });
    writeFileSync(path.join(second, 'chord'), '#!/bin/sh\n', { mode: 0o755 });
    await expect(find('chord', `${first}:${second}`)).resolves.toBe(path.join(second, 'chord'));
  });

  it('never looks into the folder where n8n or the agent works', () => {
    expect(programCandidates('chord', { PATH: ':.:bin:/usr/bin:' }, 'linux')).toEqual(['/usr/bin/chord']);
  });
});

describe('B49: finding the program on Windows', () => {
  const candidates = (command: string, environment: Record<string, string>) =>
    programCandidates(command, environment, 'win32');

  it('takes a program by its path', () => {
    const file = 'C:\\a b\\chord.exe';
    expect(candidates(file, {})).toEqual([file]);
    expect(() => refuseWindowsScript(file, 'win32')).not.toThrow();
  });

  it('looks a name up with the endings of PATHEXT, scripts last', () => {
    expect(candidates('chord', { Path: 'C:\\one;D:\\two', PATHEXT: '.CMD;.EXE' })).toEqual([
      'C:\\one\\chord.exe',
      'D:\\two\\chord.exe',
      'C:\\one\\chord.cmd',
      'D:\\two\\chord.cmd',
    ]);
  });

  it.each(['C:\\npm\\chord.cmd', 'C:\\npm\\chord.BAT', 'C:\\npm\\chord.ps1'])('refuses %s', (file) => {
    expect(() => refuseWindowsScript(file, 'win32')).toThrow(
      expect.objectContaining({
        code: 'binary_not_executable',
        message: `${file} is a script that Windows can only run in a shell.`,
        description: expect.stringContaining('chord.exe') as string,
      }) as Error,
    );
    expect(() => refuseWindowsScript(file, 'linux')).not.toThrow();
  });

  it('ends a process with all its children by taskkill', () => {
    expect(taskkillArguments(12)).toEqual(['/pid', '12', '/T', '/F']);
  });
});
