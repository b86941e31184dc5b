/** The one entry of everything below the nodes. It knows nothing of n8n and can be used from plain Node.js. */
export { systemClock, timestamp, type Clock, type ClockTimer } from './clock';
export { ChordError, errorCodes, type ErrorCode, type ErrorFacts } from './errors';
export { testConnection, type ConnectionTest } from './process/testConnection';
export {
  catalog,
  catalogEntry,
  presets,
  type CatalogEntry,
  type EventCategory,
  type Preset,
} from './protocol/catalog';
export { ruleScopes, type RuleScope } from './protocol/commands';
export type * from './registry/contract';
export { getRegistry, recoverWaits } from './registry/globalRegistry';
export { waitsMark } from './registry/waits/askN8n';
export { formatKey, parseKey, type KeyParts } from './registry/key';
export { nothingOffered } from './session/approvalForm';
export { numbered, offeredPools } from './session/choices';
export { isAudited } from './session/DecisionWitness';
export { unattributed } from './session/Ledger';
export { neutral } from './session/text/neutral';
export type * from './session/contract';
export { requestTexts, textsOf } from './session/texts';
