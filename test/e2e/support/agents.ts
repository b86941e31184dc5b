import { runProgram } from '../../../rig/runProgram';

/** The agents that work in this folder, by process id. */
export async function agentsIn(folder: string): Promise<number[]> {
  const { stdout } = await runProgram('ps', ['-eo', 'pid=,args=']);
  const lines = stdout.split('\n').filter((line) => line.includes('headless') && line.includes(folder));
  return lines.map((line) => Number(line.trim().split(' ')[0]));
}
