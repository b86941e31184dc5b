import { describeContract } from './support/describeContract';

describe('the registry in its own process', () => {
  describeContract((registry) => ({ registry, close: () => undefined }));
});
