import { scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('a slash command', () => {
  it.each(['/role', '/help', '/stats'])('%s is one of later builds only', async (text) => {
    const later = ground.play('d1-roles');
    later.send(text);
    await later.next('info');
    const earlier = ground.play('d1', scripted({ [text]: { text: 'The model saw it.' } }));
    earlier.send(text);
    expect((await earlier.next('assistant_message')).payload.text).toBe('The model saw it.');
  });
});
