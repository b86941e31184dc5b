import { makeCall } from '../../session';
import type { Claim, OpenRequest, ParkRequest, ResumeCall, SuspendedCalls } from '../contract';
import type { SessionLease } from '../lease/SessionLease';
import type { SuspendedWaits } from './SuspendedWaits';

/** What the waits need from the registry. */
export interface EmbeddedWaitsDeps {
  waits: SuspendedWaits;
  open(request: OpenRequest): Promise<SessionLease>;
}

/** The contract's view of suspended calls: opens the session of each, and makes the call that was described. */
export class EmbeddedWaits implements SuspendedCalls {
  constructor(private readonly deps: EmbeddedWaitsDeps) {}

  async park({ open, call, executionId, resumeUrl, workflow, node }: ParkRequest): Promise<void> {
    const lease = await this.deps.open(open);
    let isParked = false;
    try {
      await this.deps.waits.park(
        {
          callId: call.request.callId,
          executionId,
          resumeUrl,
          n8nAddress: open.settings.n8nAddress,
          sessionKey: lease.key,
          waiter: open.holder,
          workflow,
          node,
        },
        // The execution ends here and its stop signal with it; the call goes on in the registry.
        (control) => makeCall(lease, call, control).finally(() => void lease.release()),
      );
      isParked = true;
    } finally {
      // Where the wait could not be noted, the call was not made.
      if (!isParked) await lease.release();
    }
  }

  async claim({ executionId, token, storedCalls }: ResumeCall): Promise<Claim> {
    return this.deps.waits.claim(
      executionId,
      token,
      (callId) => storedCalls === null || storedCalls.includes(callId),
    );
  }

  take(callId: string): Promise<unknown> {
    return this.deps.waits.take(callId);
  }

  cancel(executionId: string, sessionKey: string, by: string): Promise<boolean> {
    return this.deps.waits.cancel(executionId, sessionKey, by);
  }
}
