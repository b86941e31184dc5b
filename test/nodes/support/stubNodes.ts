import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

type Execute = (context: IExecuteFunctions) => INodeExecutionData[][];

const stub = (execute: Execute, outputs = 1, inputs = 1): INodeType => ({
  description: {
    displayName: 'Stub',
    name: 'stub',
    group: ['transform'],
    version: 1,
    description: 'Stands in for a node of n8n',
    defaults: { name: 'Stub' },
    inputs: Array.from({ length: inputs }, () => 'main' as const),
    outputs: Array.from({ length: outputs }, () => 'main' as const),
    properties: [
      { displayName: 'Items', name: 'items', type: 'string', default: '[]' },
      { displayName: 'Value', name: 'value', type: 'string', default: '' },
    ],
  },
  async execute() {
    return execute(this);
  },
});

const given = (context: IExecuteFunctions): IDataObject[] =>
  JSON.parse(context.getNodeParameter('items', 0) as string) as IDataObject[];

/** Gives the items of its parameter, as a trigger would. */
const items: Execute = (context) => [given(context).map((json, item) => ({ json, pairedItem: { item } }))];

/**
 * Like a send-and-wait step: it asks once a run, for its first item, and what was answered replaces `$json`. The answer
 * is the one of its list that stands at this run's place; the last one, when there are more runs than answers.
 */
const askPerson: Execute = (context) => {
  const answers = given(context);
  const { $runIndex: run } = context.getWorkflowDataProxy(0) as unknown as { $runIndex: number };
  const json = answers[Math.min(run, answers.length - 1)] ?? {};
  return [[{ json, pairedItem: { item: 0 } }]];
};

/** The same for every item, each with the answer at its own place: like a step that is no send-and-wait. */
const answerEach: Execute = (context) => {
  const answers = given(context);
  return [
    context.getInputData().map((_item, index) => ({
      json: answers[index] ?? {},
      pairedItem: { item: index },
    })),
  ];
};

/** Keeps each item and adds what its expression gives. */
const look: Execute = (context) => [
  context.getInputData().map((item, index) => ({
    json: { ...item.json, seen: context.getNodeParameter('value', index) as string },
    pairedItem: { item: index },
  })),
];

/** Keeps each item and adds a file whose content is the item's place. */
const attach: Execute = (context) => [
  context.getInputData().map(({ json }, item) => ({
    json,
    binary: { file: { data: Buffer.from(String(item)).toString('base64'), mimeType: 'text/plain' } },
    pairedItem: { item },
  })),
];

/** Like Loop Over Items with batch size 1: output 1 gives the next item, output 0 ends. */
const loopOverItems: Execute = (context) => {
  const state = context.getContext('node') as { queue?: INodeExecutionData[] };
  state.queue ??= context.getInputData().map((item, index) => ({ ...item, pairedItem: { item: index } }));
  const next = state.queue.shift();
  return next ? [[], [next]] : [[{ json: { done: true }, pairedItem: { item: 0 } }], []];
};

/** Like a Switch: the first item goes to the first output, the second to the second, the third to the third. */
const split: Execute = (context) =>
  context.getInputData().map((item, index) => [{ ...item, pairedItem: { item: index } }]);

const inputsOf = (context: IExecuteFunctions): INodeExecutionData[][] =>
  [0, 1].map((input) => context.getInputData(input));

/** Like Merge in its mode "Append". */
const append: Execute = (context) => [
  inputsOf(context).flatMap((list, input) =>
    list.map(({ json }, item) => ({ json, pairedItem: { item, input } })),
  ),
];

/** Like Merge in its mode "Combine" by position: one item of two. */
const combine: Execute = (context) => {
  const [first = [], second = []] = inputsOf(context);
  return [
    first.map(({ json }, item) => ({
      json: { ...json, ...second[item]?.json },
      pairedItem: [
        { item, input: 0 },
        { item, input: 1 },
      ],
    })),
  ];
};

/** Gives nothing, so that *Always Output Data* makes an empty item. */
const nothing: Execute = () => [[]];

/** What stands around our nodes in tests. */
export const stubNodes: Record<string, INodeType> = {
  'test.items': stub(items, 1, 0),
  'test.askPerson': stub(askPerson),
  'test.answerEach': stub(answerEach),
  'test.look': stub(look),
  'test.attach': stub(attach),
  'test.loopOverItems': stub(loopOverItems, 2),
  'test.split': stub(split, 3),
  'test.append': stub(append, 1, 2),
  'test.combine': stub(combine, 1, 2),
  'test.nothing': stub(nothing),
};
