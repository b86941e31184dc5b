import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { ChordError } from '../../../chord/errors';
import { catalog, presets } from '../../../chord/protocol/catalog';
import { sampleEvent } from '../../../nodes/ChordTrigger/samples/sampleEvent';
import type { ActiveTrigger } from '../../support/Engine';
import { temporaryFolder } from '../../support/temporaryFolder';
import { isWaiting } from '../../session/support/promises';
import { settle } from '../../support/settle';
import { until } from '../../support/until';
import { useBench } from '../support/bench';
import { confirmRequest } from '../support/FakeSession';
import { chordNode } from '../support/flow';

const bench = useBench();

const { session } = bench;

const trigger = (parameters: IDataObject = {}) =>
  chordNode('Chord Trigger', 'chordTrigger', parameters as never);

const activate = (parameters: IDataObject = {}, mode: 'trigger' | 'manual' = 'trigger') =>
  bench.engine.activate(trigger(parameters), mode);

const close = async ({ response }: ActiveTrigger) => await response.closeFunction?.();

const filterOf = () => session().listeners[0]?.options.filter;

describe('which events are listened for', () => {
  it('requests by default, and an unexpected end, which is always reported', async () => {
    await activate();
    expect(filterOf()).toEqual({
      events: (presets.decisions as readonly string[]).concat('process_exited'),
      mainAgentOnly: false,
      includeSuppressed: false,
      toolNames: [],
    });
  });

  it('the chosen ones, with the options', async () => {
    await activate({
      preset: 'custom',
      events: ['turn_finished'],
      options: {
        extraEvents: ['toast', 'turn_finished'],
        mainAgentOnly: true,
        includeSuppressed: true,
        toolNames: 'shell, write',
        emitOpenRequests: false,
        approvalForm: ['remember'],
      },
    });
    expect(filterOf()).toEqual({
      events: ['turn_finished', 'toast', 'process_exited'],
      mainAgentOnly: true,
      includeSuppressed: true,
      toolNames: ['shell', 'write'],
    });
    expect(session().listeners[0]?.options).toMatchObject({
      id: 'workflow-1/id of Chord Trigger',
      emitOpenRequests: false,
      production: true,
      approvalForm: ['remember'],
    });
  });

  it('everything', async () => {
    await activate({ preset: 'everything' });
    expect(filterOf()?.events).toBe('all');
  });

  it('an empty choice is an error', async () => {
    await expect(activate({ preset: 'custom', events: [] })).rejects.toThrow('No event is chosen');
  });
});

describe('items', () => {
  it('one item an event, shaped as designed, in the order of the events', async () => {
    const active = await activate();
    session().publish(session().ask(confirmRequest('r1')));
    session().publish(session().ask(confirmRequest('r2')));
    await settle();
    expect(active.emitted.map(({ json }) => (json.request as IDataObject).id)).toEqual(['r1', 'r2']);
    expect(Object.keys(active.emitted[0]!.json).sort()).toEqual(
      [
        'event',
        'category',
        'summary',
        'message',
        'html',
        'chat',
        'text',
        'session',
        'request',
        'agent',
        'seq',
        'received_at',
        'payload',
      ].sort(),
    );
    expect((active.emitted[0]!.json.request as IDataObject).form).toHaveLength(2);
  });

  it('images are binary data of the item, in order with the events after it', async () => {
    const active = await activate({ preset: 'everything' });
    const data = Buffer.from('picture').toString('base64');
    const file = path.join(temporaryFolder(), 'image');
    writeFileSync(file, 'picture');
    session().publish(
      session().event('image_result', {
        images: [{ reference: 'a', call_id: 'c', mime_type: 'image/png', width: 1, height: 1, file }],
      }),
    );
    session().publish(session().event('toast'));
    await until(() => active.emitted.length === 2);
    expect(active.emitted[0]?.binary?.image).toMatchObject({ data, mimeType: 'image/png' });
    expect(active.emitted[0]?.json.images).toEqual([
      { reference: 'a', call_id: 'c', mime_type: 'image/png', width: 1, height: 1 },
    ]);
    expect(active.emitted[1]?.json.event).toBe('toast');
  });

  it('B01: closing ends the listening, and three activations leave nothing behind', async () => {
    for (let round = 0; round < 3; round += 1) await close(await activate());
    expect(session().listeners).toHaveLength(0);
    expect(bench.registry.leases).toBe(0);
    const active = await activate();
    session().publish(session().ask(confirmRequest('r1')));
    await settle();
    expect(active.emitted).toHaveLength(1);
    expect(session().listeners).toHaveLength(1);
  });

  it('acknowledges an event once it is emitted, and never one that comes when it is closed', async () => {
    const active = await activate();
    const [listener] = session().listeners;
    await listener!.deliver(session().ask(confirmRequest('r1')), 1);
    expect(active.emitted).toHaveLength(1);
    await close(active);
    const late = listener!.deliver(session().ask(confirmRequest('r2')), 2) as Promise<void>;
    expect(await isWaiting(late)).toBe(true);
    expect(active.emitted).toHaveLength(1);
  });

  it('B04, B05: closing may be repeated, and never throws', async () => {
    const active = await activate();
    void session().listeners[0]!.deliver(session().event('toast'), 1);
    await close(active);
    await expect(close(active)).resolves.toBeUndefined();
    session().publish(session().ask(confirmRequest('late')));
    await settle();
    expect(active.emitted.filter(({ json }) => json.event === 'confirm_request')).toEqual([]);
  });
});

describe('starting', () => {
  it('opens no process by itself', async () => {
    await activate();
    expect(bench.registry.opened.map(({ process }) => process)).toEqual(['on_demand']);
  });

  it('starts Chord where that is asked, and holds one lease', async () => {
    await activate({ options: { startOnActivation: true } });
    expect(bench.registry.opened.map(({ process }) => process)).toEqual(['on_demand', 'now']);
    expect(bench.registry.leases).toBe(1);
  });

  it.each(['binary_not_found', 'directory_missing', 'invalid_configuration', 'invalid_settings'] as const)(
    'rejects for what the user must change: %s',
    async (code) => {
      bench.registry.onOpen = ({ process }) => {
        if (process === 'now') throw new ChordError(code, 'Not so.', { description: 'Do this.' });
      };
      const activation = activate({ options: { startOnActivation: true } });
      await expect(activation).rejects.toMatchObject({
        message: 'Not so.',
        description: 'Do this.',
        context: { code },
      });
      expect(bench.registry.leases).toBe(0);
      expect(session().listeners).toEqual([]);
    },
  );

  it.each(['session_held', 'owned_elsewhere', 'start_timeout', 'given_up', 'n8n_is_pid_1'] as const)(
    'stays active and reports once for what may pass: %s',
    async (code) => {
      bench.registry.onOpen = () => {
        throw new ChordError(code, 'Not now.');
      };
      const active = await activate();
      expect(active.failures.map(({ message }) => message)).toEqual(['Not now.']);
      await close(active);
    },
  );
});

describe('failures after activation', () => {
  const exit = () => session().event('process_exited', { summary: 'Chord ended unexpectedly.' });

  it('are a failed execution, and no item, where their event was not chosen', async () => {
    const active = await activate();
    session().publish(exit());
    await settle();
    expect(active.emitted).toEqual([]);
    expect(active.failures.map(({ message }) => message)).toEqual(['Chord ended unexpectedly.']);
  });

  it('are an item, and no failed execution, where their event was chosen', async () => {
    const active = await activate({ preset: 'essentials' });
    session().publish(exit());
    await settle();
    expect(active.emitted.map(({ json }) => json.event)).toEqual(['process_exited']);
    expect(active.failures).toEqual([]);
  });
});

describe('a manual test', () => {
  it('does not count as somebody who takes requests', async () => {
    await activate({}, 'manual');
    expect(session().listeners[0]?.options.production).toBe(false);
  });

  it('N1: holds events back until n8n takes them', async () => {
    const active = await activate({}, 'manual');
    session().publish(session().ask(confirmRequest('r1')));
    await settle();
    expect(active.emitted).toEqual([]);
    await active.response.manualTriggerFunction?.();
    await settle();
    expect(active.emitted).toHaveLength(1);
  });

  it('rejects for every error, since somebody looks on', async () => {
    bench.registry.onOpen = () => {
      throw new ChordError('session_held', 'Held.');
    };
    await expect(activate({}, 'manual')).rejects.toThrow('Held.');
  });

  it('B11: leaves the active trigger as it is', async () => {
    const active = await activate();
    const test = await activate({}, 'manual');
    session().publish(session().ask(confirmRequest('r1')));
    await test.response.manualTriggerFunction?.();
    await close(test);
    session().publish(session().ask(confirmRequest('r2')));
    await settle();
    expect(active.emitted.map(({ json }) => (json.request as IDataObject).id)).toEqual(['r1', 'r2']);
  });
});

describe('samples', () => {
  it('come at once, without opening Chord', async () => {
    const active = await activate(
      { preset: 'custom', events: ['turn_finished'], testWith: 'sample' },
      'manual',
    );
    await active.response.manualTriggerFunction?.();
    expect(active.emitted[0]?.json).toMatchObject({ event: 'turn_finished', outcome: 'completed' });
    expect(bench.registry.opened).toEqual([]);
  });

  it('have the form that the trigger shall offer', async () => {
    const active = await activate(
      { testWith: 'sample', options: { approvalForm: ['remember', 'edit', 'name'] } },
      'manual',
    );
    await active.response.manualTriggerFunction?.();
    const { form } = active.emitted[0]?.json.request as { form: { fieldLabel: string }[] };
    expect(form.map(({ fieldLabel }) => fieldLabel)).toEqual([
      'Decision',
      'Command',
      'Rule',
      'Reason',
      'Your Name',
    ]);
  });

  it('are for the test only: an active workflow gets real events', async () => {
    await activate({ testWith: 'sample' });
    expect(bench.registry.opened).toHaveLength(1);
  });

  it.each(catalog.map(({ name }) => name))('there is one of %s', (name) => {
    const { event, summary, text, payload } = sampleEvent(name);
    expect(event).toBe(name);
    expect(summary).not.toBe(name);
    expect(text).not.toBe('');
    expect(name === 'turn_finished' || Object.keys(payload).length > 0).toBe(true);
  });
});
