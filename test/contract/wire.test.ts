import { describeContract } from './support/describeContract';
import { contractMethods, overWire } from './support/overWire';

const carried = new Set<string>();

describe('the registry behind a wire', () => {
  describeContract((registry) => overWire(registry, carried));
});

test('every method of the contract was carried', () => {
  const all = Object.entries(contractMethods).flatMap(([kind, methods]) =>
    Object.keys(methods).map((method) => `${kind}.${method}`),
  );
  expect([...carried].sort()).toEqual(all.sort());
});
