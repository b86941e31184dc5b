import { spawn } from 'node:child_process';
import type { McpServer } from '../config/loadConfig';
import type { Clock } from '../clock';

/** How long a tool server may take to answer before Chord goes on without it, in milliseconds (measured). */
export const MCP_LIMIT = 20_000;

/**
 * Starts a tool server and waits for its first answer, its end, or the limit; `ready` is held back meanwhile.
 *
 * Not measured: anything behind that answer; the simulator has no use for the server's tools and ends it.
 */
export function awaitMcp(server: McpServer, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const finish = () => {
      stopClock();
      child.kill('SIGKILL');
      resolve();
    };
    const stopClock = clock.after(MCP_LIMIT, finish);
    child.on('error', finish);
    child.on('exit', finish);
    child.stdout.once('data', finish);
    child.stdin.on('error', () => undefined);
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'chord', version: '0' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  });
}
