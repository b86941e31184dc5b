/** The process layer: one running Chord as a `Transport`. */
export { mask, SecretMask } from './SecretMask';
export type { ExitReport, ProtocolProblem, Transport } from './Transport';
