/** The process layer: one running Chord as a `Transport`. */
export { howItEnded } from './failedStart';
export { mask, SecretMask } from './SecretMask';
export type { ExitReport, ProtocolProblem, Transport } from './Transport';
