import { parseCommand } from '../../../simulator/wire/command';

describe('a stdin line as Go reads it', () => {
  it.each([
    ['not json', undefined],
    ['[]', undefined],
    ['"x"', undefined],
    ['{"type":5}', undefined],
    ['{"type":"send","answers":["a",1]}', undefined],
    ['null', { type: '' }],
    ['{"type":"send","content":null,"other":1}', { type: 'send', content: '' }],
    ['{"TYPE":"send","Request_ID":"x"}', { type: 'send', request_id: 'x' }],
    ['{"type":"subscribe","events":[]}', { events: [] }],
    ['{"type":"subscribe"}', { events: null }],
  ])('%s', (line, command) => {
    const parsed = parseCommand(line);
    if (command === undefined) expect(parsed).toBeUndefined();
    else expect(parsed).toMatchObject(command);
  });
});
