/** The process layer: one running Chord as a `Transport`. */
export { checkDirectory } from './checkDirectory';
export { ChordProcess, type ChordProcessOptions } from './ChordProcess';
export { thisProcess, type HostProcess, type LaunchSettings, type StartArguments } from './LaunchSettings';
export { MemoryTransport, type MemoryPeer } from './MemoryTransport';
export { refuseProcessOne } from './prepareLaunch';
export { mask, SecretMask, secretValues } from './SecretMask';
export { testConnection, type ConnectionTest } from './testConnection';
export type { ExitReport, ProtocolProblem, Transport, TransportEvents } from './Transport';
