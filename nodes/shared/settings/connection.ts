import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { ConnectionSettings } from '../../../chord';
import { isRecord } from '../items/isRecord';
import { ParameterReader } from './ParameterReader';

/** The name of the credential type, as saved workflows know it. */
export const credentialName = 'chordHeadlessApi';

/** One entry a line; outer blanks and empty lines mean nothing. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const isVariable = (entry: unknown): entry is { name: string; value?: unknown } =>
  isRecord(entry) && typeof entry.name === 'string';

/** Values stay as they are: one with `=`, a newline or nothing in it is legal. */
const variables = (collection: unknown): ConnectionSettings['environment'] => {
  const entries = isRecord(collection) ? collection.variables : [];
  if (!Array.isArray(entries)) return [];
  return entries
    .filter(isVariable)
    .map(({ name, value }) => ({ name: name.trim(), value: String(value ?? '') }))
    .filter(({ name }) => name !== '');
};

/**
 * The credential as plain settings, in the units of `chord/`.
 *
 * @param data what n8n decrypted, defaults filled in
 * @param id the credential's id in n8n, which is part of every session's key
 */
export const connectionSettings = (data: ICredentialDataDecryptedObject, id: string): ConnectionSettings => {
  const fields = new ParameterReader((name, fallback) => data[name] ?? fallback);
  return {
    credentialId: id,
    command: fields.text('command', 'chord').trim(),
    commandArguments: lines(fields.text('commandArguments')),
    runsElsewhere: fields.flag('runsElsewhere'),
    commandQuotes: fields.flag('commandQuotes'),
    projectDirectory: fields.text('projectDirectory').trim(),
    allowedDirectories: lines(fields.text('allowedDirectories')),
    environment: variables(data.environment),
    allowLocalShell: fields.flag('allowLocalShell'),
    startTimeoutMs: fields.number('startTimeoutSeconds', 60) * 1000,
    idleTimeoutMs: fields.number('idleTimeoutMinutes', 30) * 60_000,
    restartOnCrash: fields.flag('restartOnCrash', true),
    n8nAddress: fields.text('n8nAddress').trim(),
    auditArguments: fields.flag('auditArguments'),
  };
};

/** What reading the node's credential needs of n8n's context. */
interface CredentialContext {
  getCredentials(type: string, itemIndex?: number): Promise<ICredentialDataDecryptedObject>;
  getNode(): { credentials?: Record<string, { id: string | null }> };
}

/** Reads the credential of the node that runs. */
export const readConnection = async (
  context: CredentialContext,
  itemIndex?: number,
): Promise<ConnectionSettings> =>
  connectionSettings(
    await context.getCredentials(credentialName, itemIndex),
    context.getNode().credentials?.[credentialName]?.id ?? '',
  );
