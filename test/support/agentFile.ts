/** An agent file for Chord's configuration folder: everything is allowed but shell commands, which are asked about. */
export const agentFile = (name: string, mode = 'main', pools = 'standard, thinking'): string => `name: ${name}
description: For a test
mode: ${mode}
model_pools: [${pools}]
permission:
  "*": allow
  shell: ask
`;
