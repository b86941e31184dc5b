import push from '../scenarios/push.json';
import type { Scenario } from './Scene';

/** The agent reads, asks whether it may push, and reports. */
export const PUSHES: Scenario = push;

/** The agent makes the file `made`, about which it is asked, and reports; `delayMs`: how long its model thinks first. */
export const makesFile = (delayMs = 0): Scenario => ({
  ordered: true,
  steps: [
    {
      reply: {
        delay_ms: delayMs,
        text: 'I will make the file.',
        tool_calls: [{ name: 'shell', args: { command: 'touch made', description: 'make the file' } }],
      },
    },
    { reply: { text: 'The file is made.' } },
  ],
});
