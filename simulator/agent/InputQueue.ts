import type { Input } from './inputs';

/** Slash commands that wait until the agent is idle, when they come while it works. */
const IDLE_ONLY = /^\/(new|loop|mcp|resume)(\s|$)/;

const waits = (input: Input) => input.fromUser && IDLE_ONLY.test(input.content.trim());

/** What came while the agent worked. */
export class InputQueue {
  private inputs: Input[] = [];
  /** Notes of jobs and SubAgents that a cancel overtook: they wait for the next message. Not measured: that later builds hold them. */
  private readonly held: Input[] = [];

  /** `keepsNotes`: in the measured build such notes stay in the queue, and keep `idle` from being told. */
  constructor(private readonly keepsNotes: boolean) {}

  get empty(): boolean {
    return this.inputs.length === 0;
  }

  add(...inputs: Input[]): void {
    this.inputs.push(...inputs);
  }

  /** Texts that join the very next request; commands stay. */
  takeTexts(): Input[] {
    const texts = this.inputs.filter((input) => !waits(input));
    this.inputs = this.inputs.filter(waits);
    return texts;
  }

  /** The oldest command, if one waits. */
  takeCommand(): Input | undefined {
    const at = this.inputs.findIndex(waits);
    return at < 0 ? undefined : this.inputs.splice(at, 1)[0];
  }

  /** After a cancel: a person's texts are given back, to be written down unanswered (measured); commands stay. */
  interrupt(): Input[] {
    const texts = this.takeTexts();
    const notes = texts.filter((input) => !input.fromUser);
    if (this.keepsNotes) this.inputs.push(...notes);
    else this.held.push(...notes);
    return texts.filter((input) => input.fromUser);
  }

  /** What a cancel held back, for the next message. */
  takeHeld(): Input[] {
    return this.held.splice(0);
  }
}
