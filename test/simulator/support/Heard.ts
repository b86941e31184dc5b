import { until } from '../../support/until';

/** The simulator answers in milliseconds: look often. */
export const PATIENCE = { limitMs: 20_000, everyMs: 5 };

/** One line of stdout, parsed. */
export interface Line {
  type: string;
  seq?: number;
  payload: Record<string, unknown>;
}

/** What was heard on stdout, in order, and a mark behind what was waited for last. */
export class Heard {
  readonly raw: string[] = [];
  private cursor = 0;

  /** All lines so far. */
  get lines(): Line[] {
    return this.raw.map((line) => JSON.parse(line) as Line);
  }

  /** The types of all lines so far; activities are left out, they stand between everything. */
  get types(): string[] {
    return this.lines.map((line) => line.type).filter((type) => type !== 'activity');
  }

  /** Payloads of one type. */
  payloads(type: string): Record<string, unknown>[] {
    return this.lines.filter((line) => line.type === type).map((line) => line.payload);
  }

  /** Waits for the next line of a type (behind the mark) whose payload has these values. */
  next(type: string, fields: Record<string, unknown> = {}): Promise<Line> {
    const find = () => {
      for (let at = this.cursor; at < this.raw.length; at += 1) {
        const line = JSON.parse(this.raw[at]!) as Line;
        const fits = Object.entries(fields).every(
          ([key, value]) => JSON.stringify(line.payload[key]) === JSON.stringify(value),
        );
        if (line.type !== type || !fits) continue;
        this.cursor = at + 1;
        return line;
      }
      return undefined;
    };
    return until(find, { ...PATIENCE, what: `${type} ${JSON.stringify(fields)}` });
  }
}
