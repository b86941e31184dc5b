import type { IDataObject, INode } from 'n8n-workflow';
import type { Engine, Execution } from '../../support/Engine';
import { asks, ChordProject, shutDownRegistry } from './ChordProject';
import { chordNode, connect, itemsNode, type ChordNodeType } from './flow';

/** The model: "quick" is answered at once, everything else asks before it is done. */
const steps = [
  {
    id: 'refused',
    times: 'any' as const,
    when: { last_tool: 'rejected by user', last_role: 'tool' },
    reply: { text: 'Then not.' },
  },
  { id: 'ran', times: 'any' as const, when: { last_role: 'tool' }, reply: { text: 'It is done.' } },
  {
    id: 'quick',
    times: 'any' as const,
    when: { last_user: 'quick', last_role: 'user' },
    reply: { text: 'Quick answer.' },
  },
  {
    id: 'broken',
    times: 'any' as const,
    when: { last_user: 'broken', last_role: 'user' },
    reply: { status: 400, error: { message: 'no such thing', type: 'invalid_request_error' } },
  },
  {
    id: 'slow',
    times: 'any' as const,
    when: { last_user: 'slow', last_role: 'user' },
    reply: { hang: true },
  },
  { id: 'ask', times: 'any' as const, when: { last_role: 'user' }, reply: asks('echo one') },
];

/** A simulated Chord that gets tasks and asks before it does them, and what the nodes do with it. */
export class Tasks {
  project!: ChordProject;

  engine!: Engine;

  private sessions = 0;

  /** Each test has a session of its own, so that none meets the requests of another. */
  sessionName = '';

  async begin(): Promise<void> {
    this.project = await ChordProject.create(steps);
    this.engine = await this.project.engine();
  }

  nextSession(): void {
    this.sessions += 1;
    this.sessionName = `session-${this.sessions}`;
  }

  /** Parameters of a node that names the session. */
  readonly named = (parameters: IDataObject) => ({ ...parameters, sessionName: this.sessionName }) as never;

  readonly send = (
    items: IDataObject[],
    parameters: IDataObject = {},
    more: Partial<INode> = {},
    executionId = '1',
  ): Promise<Execution> =>
    this.run(
      'Send',
      'chordSend',
      items,
      this.named({ message: '={{ $json.task }}', ...parameters }),
      more,
      executionId,
    );

  readonly confirm = (
    items: IDataObject[],
    parameters: IDataObject = {},
    more: Partial<INode> = {},
    executionId = '9',
  ): Promise<Execution> => this.run('Confirm', 'chordConfirm', items, parameters, more, executionId);

  readonly status = (parameters: IDataObject = {}): Promise<Execution> =>
    this.run('Status', 'chordStatus', [{}], this.named(parameters));

  /** Lets Chord ask, and gives the item of its request. */
  readonly ask = async (when = 'first'): Promise<IDataObject & { request: { id: string } }> => {
    const { items } = await this.send([{ task: 'go' }], {}, {}, `${when} in ${this.sessionName}`);
    const [item] = items('Send', 1);
    expect(item?.json).toMatchObject({
      event: 'confirm_request',
      request: { kind: 'confirm', tool: 'shell' },
    });
    return item!.json as never;
  };

  /** The decisions that reached Chord for a request. */
  readonly decided = (id: string): unknown[] =>
    this.project
      .commands('confirm')
      .filter(({ request_id: requestId }) => requestId === id)
      .map(({ action }) => action);

  private run(
    name: string,
    type: ChordNodeType,
    items: IDataObject[],
    parameters: IDataObject,
    more: Partial<INode> = {},
    executionId = '1',
  ): Promise<Execution> {
    const node = chordNode(name, type, parameters as never, more);
    return this.engine.execute(
      { nodes: [itemsNode('Start', items), node], connections: connect(`Start > ${name}`) },
      'Start',
      { executionId },
    );
  }
}

/** The same for all tests of a file, with a session of its own for each of them. */
export const useTasks = (): Tasks => {
  const tasks = new Tasks();
  beforeAll(() => tasks.begin());
  beforeEach(() => tasks.nextSession());
  afterAll(shutDownRegistry);
  return tasks;
};
