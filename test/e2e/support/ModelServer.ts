import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { projectRoot } from '../../../rig/projectRoot';

const PROGRAM = path.join(projectRoot, 'test', 'chord', 'lab', 'mockllm.mjs');

/** A model for n8n's own AI nodes: the lab's scripted stand-in for OpenAI's API. */
export class ModelServer {
  private constructor(
    readonly url: string,
    private readonly server: ChildProcess,
  ) {}

  /** @param script a scenario file; its format stands at the top of the lab's `mockllm.mjs` */
  static async start(script: string): Promise<ModelServer> {
    const server = spawn(process.execPath, [PROGRAM, '--scenario', script, '--port', '0', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    return new ModelServer(url, server);
  }

  /** How often the model was asked for an answer. */
  async requests(): Promise<number> {
    const state = (await (await fetch(`${this.url}/__state`)).json()) as { requests: number };
    return state.requests;
  }

  stop(): void {
    this.server.kill();
  }
}
