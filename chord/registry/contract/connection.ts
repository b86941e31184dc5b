import type { LaunchSettings } from '../../process/LaunchSettings';

/** How and where Chord is started: the credential, as plain data. */
export interface ConnectionSettings extends LaunchSettings {
  credentialId: string;
  allowLocalShell: boolean;
  /** 0 is never. */
  idleTimeoutMs: number;
  restartOnCrash: boolean;
  /** Where n8n can be reached from itself, to resume suspended executions; empty: found automatically. */
  n8nAddress: string;
  /** Whether the audit keeps the arguments of what was decided, and not only their hash. */
  auditArguments: boolean;
}
