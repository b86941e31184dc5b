import type { IDataObject } from 'n8n-workflow';
import { sessionKey } from './bench';
import { chordNode, connect, itemsNode, stubNode } from './flow';

/** What a step gives when a person allows, by the form. */
export const allow = { data: { Decision: 'Allow' } };

/** An item as the Chord Trigger emits it. */
export const requestItem = (id: string, key = sessionKey): IDataObject => ({
  event: 'confirm_request',
  session: { key },
  request: { id, kind: 'confirm' },
});

/** Trigger, an approval step, Confirm; a Chord Trigger cannot be started in a test run, so its items stand in. */
export const approval = (items: IDataObject[], answers: IDataObject[], parameters: IDataObject = {}) => ({
  nodes: [
    itemsNode('Start', items),
    stubNode('Ask', 'test.answerEach', { items: JSON.stringify(answers) }),
    chordNode('Confirm', 'chordConfirm', parameters as never),
  ],
  connections: connect('Start > Ask', 'Ask > Confirm'),
});
