/** The process layer: one running Chord as a `Transport`. */
export { checkDirectory } from './checkDirectory';
export { ChordProcess, type ChordProcessOptions } from './ChordProcess';
export type { HostProcess, LaunchSettings } from './LaunchSettings';
export { MemoryTransport } from './MemoryTransport';
export { mask, SecretMask, secretValues } from './SecretMask';
export { testConnection } from './testConnection';
export type { ExitReport, ProtocolProblem, Transport, TransportEvents } from './Transport';
