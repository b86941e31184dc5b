import type { IConnection, IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';

/** The package's name is the first part of each node type. */
const packageName = 'n8n-nodes-chord';

/** The last part of our node types; the tool variants are made by n8n. */
export type ChordNodeType =
  | 'chordTrigger'
  | 'chordSend'
  | 'chordSendTool'
  | 'chordAnswer'
  | 'chordConfirm'
  | 'chordQuestion'
  | 'chordHandoff'
  | 'chordStatus'
  | 'chordStatusTool'
  | 'chordControl';

/** One of our nodes, with a credential. */
export const chordNode = (
  name: string,
  type: ChordNodeType,
  parameters: INodeParameters = {},
  more: Partial<INode> = {},
): INode => ({
  id: `id of ${name}`,
  name,
  type: `${packageName}.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  credentials: { chordHeadlessApi: { id: 'credential-1', name: 'Chord' } },
  ...more,
});

/** A stub node: see stubNodes.ts. */
export const stubNode = (
  name: string,
  type: string,
  parameters: INodeParameters = {},
  more: Partial<INode> = {},
): INode => ({ id: `id of ${name}`, name, type, typeVersion: 1, position: [0, 0], parameters, ...more });

/** A node that gives the same items each time. */
export const itemsNode = (name: string, items: IDataObject[], more: Partial<INode> = {}): INode =>
  stubNode(name, 'test.items', { items: JSON.stringify(items) }, more);

/**
 * Connections, written as `'Send:1 > Mail'`: the second output of Send to Mail, or `'Mail > Merge:1'`: to the second
 * input of Merge. Without a number: the first.
 */
export const connect = (...links: string[]): IConnections => {
  const connections: Record<string, { main: IConnection[][] }> = {};
  for (const link of links) {
    const [from = '', to = ''] = link.split(' > ');
    const [name = '', output = '0'] = from.split(':');
    const [node = '', index = '0'] = to.split(':');
    const { main } = (connections[name] ??= { main: [] });
    while (main.length <= Number(output)) main.push([]);
    main[Number(output)]?.push({ node, type: 'main', index: Number(index) });
  }
  return connections;
};

/** Send, ask, Confirm, and back to the question as often as Confirm needs another decision. */
export const approvalLoop = (answers: IDataObject[]) => ({
  nodes: [
    itemsNode('Start', [{ task: 'go' }]),
    chordNode('Send', 'chordSend', { message: 'go' }),
    stubNode('Ask', 'test.askPerson', { items: JSON.stringify(answers) }),
    chordNode('Confirm', 'chordConfirm', { waitFor: 'turn' }),
  ],
  connections: connect('Start > Send', 'Send:1 > Ask', 'Ask > Confirm', 'Confirm:1 > Ask'),
});

/** Items, and one Chord Send that works on them. */
export const sendFlow = (
  items: IDataObject[],
  parameters: IDataObject = { message: '={{ $json.task }}' },
  more: Partial<INode> = {},
) => ({
  nodes: [itemsNode('Start', items), chordNode('Send', 'chordSend', parameters as never, more)],
  connections: connect('Start > Send'),
});
