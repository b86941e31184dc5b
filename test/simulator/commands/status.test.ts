import type { ProfileName } from '../../../simulator/wire/profile';
import { playground } from '../support/playground';

const ground = playground();

describe('what a status shows', () => {
  it.each([
    ['d1', []],
    ['d1-roles', ['current_role']],
    ['d2', ['current_role', 'running_jobs', 'workdir']],
    ['d2-receipts', ['current_role', 'running_jobs', 'workdir']],
    [
      'd3',
      ['current_role', 'running_jobs', 'workdir', 'pending_questions', 'questions', 'question_binding_id'],
    ],
  ] as [ProfileName, string[]][])('%s', async (profile, keys) => {
    const status = await ground.play(profile).status();
    for (const key of keys) expect(status).toHaveProperty(key);
    const later = [
      'current_role',
      'running_jobs',
      'workdir',
      'pending_questions',
      'questions',
      'question_binding_id',
    ];
    for (const key of later.filter((name) => !keys.includes(name))) expect(status).not.toHaveProperty(key);
    expect('pending_question' in status).toBe(profile !== 'd3');
  });
});
