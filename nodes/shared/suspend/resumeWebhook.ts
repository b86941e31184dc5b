import {
  LoggerProxy,
  type IDataObject,
  type IExecuteData,
  type INodeExecutionData,
  type IRunExecutionData,
  type IWebhookDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { ChordError, getRegistry, recoverWaits, waitsMark } from '../../../chord';
import { failedItem } from '../errors/nodeError';
import { isMainProcess } from '../run/registry';
import { notesKey } from './callSession';

// n8n loads the nodes at every start: the moment at which what a former n8n left waiting can be ended, also where no
// trigger is active.
if (isMainProcess()) recoverWaits((problem) => LoggerProxy.warn(problem));

/** All methods are declared, since n8n answers an undeclared one without asking us. */
const methods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

/** The address under which a suspended node is woken. Its path is the node's id, so that no other node answers. */
export const resumeWebhooks: IWebhookDescription[] = methods.map((httpMethod) => ({
  name: 'default',
  httpMethod,
  // n8n answers 200 once it has resumed the execution, so that any other answer means: not resumed.
  responseMode: 'onReceived',
  responseData: '',
  path: '={{ $nodeId }}',
  restartWebhook: true,
  isFullPath: true,
}));

const yes = async (): Promise<boolean> => true;

/** n8n registers resume addresses by itself; its lint wants to see these all the same. They are never called. */
export const resumeWebhookMethods = { default: { checkExists: yes, create: yes, delete: yes } };

/** What we use of the answer; n8n's own type needs the types of a web server that we do not have. */
interface Response {
  setHeader(name: string, value: string): void;
  status(code: number): { json(body: object): void };
}

/** Says no without resuming: the execution goes on waiting. */
const refuse = (
  context: IWebhookFunctions,
  status: number,
  message: string,
  more: object = {},
): IWebhookResponseData => {
  const response = context.getResponseObject() as Response;
  if (status === 405) response.setHeader('Allow', 'POST');
  response.status(status).json({ message, ...more });
  return { noWebhookResponse: true };
};

const tokenOf = (context: IWebhookFunctions): string => {
  const { token } = context.getBodyData();
  return typeof token === 'string' ? token : '';
};

/**
 * The entry of the waiting node on n8n's stack, an internal of n8n: the node is marked disabled there, so that n8n
 * would pass its input on without running it. Our own pass-through could neither fail nor use the second output.
 */
const stackEntry = (context: IWebhookFunctions): IExecuteData | undefined =>
  (context as unknown as { executeData?: IExecuteData }).executeData;

/**
 * The calls that the execution waits for in the state that n8n has loaded, which may be an older one than it was parked
 * in; `null` where this internal of n8n is not there, so that there is no telling.
 */
const storedCalls = (context: IWebhookFunctions): string[] | null => {
  const { runExecutionData } = context as unknown as { runExecutionData?: IRunExecutionData };
  const contexts = runExecutionData?.executionData?.contextData;
  if (!contexts) return null;
  const notes = (contexts[`node:${context.getNode().name}`]?.[notesKey] ?? {}) as IDataObject;
  return Object.keys(notes).filter((callId) => notes[callId] === true);
};

const unsupported = (): INodeExecutionData =>
  failedItem(
    new ChordError('resume_unsupported', 'This version of n8n cannot resume a suspended Chord node.', {
      description:
        'Set "Wait Mode" to "Keep the Workflow Running", and report your n8n version to the authors.',
    }),
    0,
  );

/** Lets n8n run the node again with its own items. The token is claimed before anything else can happen. */
const resume = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
  if ((context.getRequestObject() as { method: string }).method !== 'POST')
    return refuse(context, 405, 'Opening this address does nothing.', waitsMark);
  const claim = await getRegistry().waits.claim({
    executionId: context.getExecutionId(),
    token: tokenOf(context),
    storedCalls: storedCalls(context),
  });
  if (claim === 'refused') return refuse(context, 403, 'This execution is not waiting for this call.');
  if (claim === 'too_early')
    return refuse(context, 425, 'n8n has not yet stored that this execution is waiting.');
  const entry = stackEntry(context);
  const input = entry?.data.main?.[0];
  if (!entry || !input) return { workflowData: [[unsupported()]] };
  entry.node.disabled = false;
  return { workflowData: [input] };
};

/** The resume call. It never throws: n8n would resume the execution with an empty item (measured). */
export const answerResumeCall = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
  try {
    return await resume(context);
  } catch {
    return refuse(context, 500, 'The call could not be handled. The execution keeps waiting.');
  }
};
