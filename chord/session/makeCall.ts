import type { SessionCall, SessionCalls } from './contract';
import type { CallControl } from './core/CallControl';

/** Whoever the calls can be made to. */
type Callee = {
  [Name in keyof SessionCalls]: (
    request: SessionCalls[Name]['request'],
    control?: CallControl,
  ) => Promise<SessionCalls[Name]['result']>;
};

/** Makes a call that was described as plain data. */
export const makeCall = <Method extends keyof SessionCalls>(
  session: Callee,
  call: SessionCall<Method>,
  control?: CallControl,
): Promise<SessionCalls[Method]['result']> => session[call.method](call.request, control);
