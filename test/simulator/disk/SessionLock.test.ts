import { processes } from '../support/processes';

const all = processes();

describe('locks, as recorded', () => {
  it('lets one process at a time have a session', async () => {
    const holder = await all.same('process-lock-1-holder', {}, (row) => row.dir === 'exit');
    const id = holder.lines[0]!.payload.session_id as string;
    await all.same('process-lock-2-resume-locked', { args: ['--resume', id] });
    await all.same('process-lock-3-continue-locked', { args: ['--continue'] });
    await all.same('process-lock-4-plain-second');
    expect(await holder.end()).toEqual({ code: 0, signal: null });
    await all.same('process-lock-5-resume-free', { args: ['--resume', id] });
  });

  it('is not held up by the lock of a killed process', async () => {
    const killed = await all.same('process-resume-after-kill-1-killed');
    const id = killed.lines[0]!.payload.session_id as string;
    await all.same('process-resume-after-kill-2-resumed', { args: ['--resume', id] });
  });

  it('resumes a session with nothing but an unanswered message', async () => {
    const killed = await all.same('process-kill-midstream-resume-1-killed');
    const id = killed.lines[0]!.payload.session_id as string;
    await all.same('process-kill-midstream-resume-2-resumed', { args: ['--resume', id] });
  });
});
