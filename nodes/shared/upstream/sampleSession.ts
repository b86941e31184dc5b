import { ChordError } from '../../../chord';

/**
 * The session key of the Chord Trigger's samples. No session has it: a key begins with the id of a credential, and n8n's
 * ids are longer. By it a sample is known wherever it has come to, also when it was pinned.
 */
export const sampleSessionKey = 'sample:default::/home/me/project';

/**
 * Refuses to answer a sample, whose request nobody has asked.
 *
 * @throws ChordError `sample_request`
 */
export const refuseSample = (sessionKey: string, requestId?: string): void => {
  if (sessionKey !== sampleSessionKey) return;
  throw new ChordError(
    'sample_request',
    'This is a sample request: Chord never made it, so it cannot be answered.',
    {
      requestId,
      description:
        'Up to here the workflow works. To try the answer too, set "Test With" in the Chord Trigger to a real event, test it, and let Chord ask for something.',
    },
  );
};
