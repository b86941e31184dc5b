import { trimGo } from '../../../simulator/agent/slashText';

describe('blanks as Go sees them', () => {
  it.each([
    ['\u0085/new\u00a0', '/new'],
    ['\u3000 x \n', 'x'],
    ['\ufeff/new', '\ufeff/new'],
  ])('%j', (text, trimmed) => expect(trimGo(text)).toBe(trimmed));
});
