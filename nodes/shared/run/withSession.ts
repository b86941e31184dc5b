import { type ChordSession, type OpenRequest } from '../../../chord';
import { registry } from './registry';

/** Leases a session for one piece of work. */
export const withSession = async <Result>(
  request: OpenRequest,
  work: (session: ChordSession) => Promise<Result>,
): Promise<Result> => {
  const session = await registry().open(request);
  try {
    return await work(session);
  } finally {
    await session.release();
  }
};
