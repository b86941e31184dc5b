import type { N8nClient } from './N8nClient';

/** What became of the newest executions, in n8n's own words: for whoever waits for something that does not come. */
export async function executionReport(client: N8nClient, workflowIds?: string[]): Promise<string> {
  const lines: string[] = [];
  for (const summary of await client.executions()) {
    if (workflowIds && !workflowIds.includes(summary.workflowId)) continue;
    const execution = await client.execution(summary.id);
    lines.push(
      `execution ${summary.id} (${summary.mode}): ${summary.status} ${execution.error?.message ?? ''}`.trim(),
    );
    for (const [node, runs] of Object.entries(execution.runData)) {
      for (const { executionStatus, error } of runs) {
        const reason = [error?.message, error?.description].filter(Boolean).join(' ');
        lines.push(`  ${node}: ${executionStatus} ${reason}`.trimEnd());
      }
    }
  }
  return lines.length > 0 ? lines.join('\n') : 'n8n has no executions.';
}
