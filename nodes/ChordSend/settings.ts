import type { ConnectionSettings, SendRequest } from '../../chord';
import type { ParameterReader } from '../shared/settings/ParameterReader';
import type { WaitMode } from '../shared/suspend/callSession';
import { readNamedSession, type NamedSession } from '../shared/settings/session';
import { readWaiting, readWaitMode } from '../shared/settings/waiting';

/** All parameters of one item. */
export interface SendSettings {
  session: NamedSession;
  /** What is sent, but for the names of call and held requests, which n8n's context gives. */
  request: Omit<SendRequest, 'callId' | 'heldRequests'>;
  waitMode: WaitMode;
}

/** Reads the node's parameters for one item. */
export const readSendSettings = (
  parameters: ParameterReader,
  connection: ConnectionSettings,
): SendSettings => {
  const options = parameters.collection('options');
  const waitFor = parameters.choice('waitFor', ['turn', 'jobs', 'nothing']);
  return {
    session: readNamedSession(parameters, connection),
    request: {
      ...readWaiting(waitFor, options),
      message: parameters.text('message'),
      whenBusy: options.choice('whenBusy', ['wait', 'join', 'skip', 'fail']),
      whenRequestOpen: options.choice('whenRequestOpen', ['fail', 'wait', 'skip', 'dismiss']),
      allowCommands: options.flag('allowCommands'),
      loop: options.flag('loop'),
      releaseHeld: options.flag('releaseHeld'),
    },
    waitMode: readWaitMode(options),
  };
};
