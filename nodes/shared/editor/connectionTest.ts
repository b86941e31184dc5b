import type {
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { testConnection } from '../../../chord';
import { asChordError } from '../errors/nodeError';
import { connectionSettings } from '../settings/connection';

/**
 * The credential's test. n8n runs it each time a saved credential is opened, so it takes seconds and leaves nothing
 * behind; it never throws, since n8n would answer with our stack trace (measured).
 */
export async function chordConnectionTest(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  try {
    const { ok, message } = await testConnection(connectionSettings(credential.data ?? {}, credential.id));
    return { status: ok ? 'OK' : 'Error', message };
  } catch (error) {
    return { status: 'Error', message: asChordError(error).message };
  }
}
