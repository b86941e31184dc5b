import { readFileSync } from 'node:fs';
import { demonstration } from './demonstration';
import type { Scenario } from './scenario';

/** The scenario in a file; the built-in one without a file. */
export function loadScenario(file: string | undefined): Scenario {
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as Scenario) : demonstration;
}
