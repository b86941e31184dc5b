import { textOf } from '../../../simulator/scenario/scenario';
import { scripted } from '../support/Played';
import { playground } from '../support/playground';

const ground = playground();

describe('text', () => {
  it('is joined from its three spellings', () => {
    expect(textOf(['a', { repeat: 'b', count: 3 }, ['c']])).toBe('abbbc');
    expect(textOf(undefined)).toBe('');
  });
});

describe('raw envelopes of a scenario', () => {
  it('are pushed as they are', async () => {
    const scenario = scripted({
      Hello: {
        text: 'Hello.',
        emit: [{ type: 'mcp_status_changed', payload: { servers: [{ name: 'x' }] } }],
      },
    });
    const played = ground.play('d3', scenario);
    played.send('Hello');
    const { payload, seq } = await played.next('mcp_status_changed');
    expect(payload).toEqual({ servers: [{ name: 'x' }] });
    expect(seq).toBeGreaterThan(1);
  });
});
