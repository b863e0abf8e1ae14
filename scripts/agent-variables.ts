// Writes src/api/agent-variables.ts from the adapters of the agents: clients know nothing else about one agent.
//   node scripts/bootstrap.mjs scripts/agent-variables.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAgents, homeVariables } from '../src/agent/all.ts';

const FILE = join(import.meta.dirname, '../src/api/agent-variables.ts');

/** The generated text of the file. */
export function agentVariables(): string {
  const names = homeVariables(allAgents('node', (name) => name));
  return `// Written by scripts/agent-variables.ts from the adapters of the agents. Do not edit it here.

/** Variables with which a user says where an agent keeps its files. */
export const AGENT_VARIABLES: readonly string[] = [
${names.map((name) => `  '${name}',\n`).join('')}];
`;
}

if (import.meta.main) writeFileSync(FILE, agentVariables());
