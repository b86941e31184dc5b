import { profileNamed } from '../../../simulator/wire/profile';

describe('profiles', () => {
  it('are d2 unless named', () => {
    expect(profileNamed(undefined).name).toBe('d2');
    expect(profileNamed('').name).toBe('d2');
    expect(profileNamed('d3').name).toBe('d3');
    expect(() => profileNamed('d9')).toThrow('unknown profile "d9"');
  });
});
