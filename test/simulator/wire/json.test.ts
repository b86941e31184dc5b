import { encode } from '../../../simulator/wire/json';

describe('JSON as Go writes it', () => {
  it('escapes what could end a script or a line', () => {
    expect(encode({ a: '<b> & \u2028\u2029 é ☕' })).toBe(
      '{"a":"\\u003cb\\u003e \\u0026 \\u2028\\u2029 é ☕"}',
    );
  });
});
