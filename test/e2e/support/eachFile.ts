import { closeLeftovers } from './leftovers';

/** A whole round through n8n takes seconds, and a first start of n8n up to a minute on a busy machine. */
jest.setTimeout(120_000);

afterAll(closeLeftovers);
