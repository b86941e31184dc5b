import type { IExecuteFunctions } from 'n8n-workflow';

/** True when an AI agent runs the node. `isToolExecution()` is not there in n8n 1.123 and false in agent v3 (measured). */
export const isTool = (context: IExecuteFunctions): boolean => context.getNode().type.endsWith('Tool');
