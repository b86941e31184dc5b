/** The one entry of everything below the nodes. It knows nothing of n8n and can be used from plain Node.js. */
export { systemClock, timestamp, type Clock, type ClockTimer } from './clock';
export { ChordError, cureOf, type ErrorCode } from './errors';
export { testConnection } from './process/testConnection';
export { catalog, catalogEntry, presets, type Preset } from './protocol/catalog';
export type * from './registry/contract';
export { getRegistry, recoverWaits } from './registry/globalRegistry';
export { waitsMark } from './registry/waits/askN8n';
export { nothingOffered } from './session/offers/approvalOffer';
export { numbered, offeredPools } from './session/text/choices';
export { isAudited } from './session/operations/decide/DecisionAudit';
export { unattributed } from './session/state/Ledger';
export { neutral } from './session/text/neutral';
export type * from './session/contract';
export { makeCall } from './session/makeCall';
export { requestTexts, textsOf } from './session/events/eventTexts';
