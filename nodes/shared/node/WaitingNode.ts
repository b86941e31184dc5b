import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { chordConnectionTest } from '../editor/connectionTest';
import { answerResumeCall, resumeWebhookMethods } from '../suspend/resumeWebhook';

/** What nodes that can wait for Chord do beside their work: test the credential, and wake up when they were suspended. */
export abstract class WaitingNode {
  methods = { credentialTest: { chordConnectionTest } };

  webhookMethods = resumeWebhookMethods;

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await answerResumeCall(this);
  }
}
