// Writes src/api/agent-variables.ts and src/api/agent-names.ts from the adapters of the agents: clients know nothing
// else about one agent.
//   node scripts/bootstrap.mjs scripts/agent-variables.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allAgents, homeVariables } from '../src/agent/all.ts';
import { knownAgents } from '../src/agent/known.ts';

const API = join(import.meta.dirname, '../src/api');

/** The generated text of the file. */
export function agentVariables(): string {
  const names = homeVariables(allAgents('node', (name) => name));
  return `// Written by scripts/agent-variables.ts from the adapters of the agents. Do not edit it here.

/** Variables with which a user says where an agent keeps its files. */
export const AGENT_VARIABLES: readonly string[] = [
${names.map((name) => `  '${name}',\n`).join('')}];
`;
}

/** The generated text of the file with the names that a shell can complete. */
export function agentNames(): string {
  const agents = knownAgents(allAgents('node', (name) => name));
  const rows = agents.map(({ name, program }) => {
    const models = [...new Set(program.models.table.map((row) => `'${row.name}'`))];
    return `  ${/^[a-z]+$/.test(name) ? name : `'${name}'`}: [${models.join(', ')}],\n`;
  });
  return `// Written by scripts/agent-variables.ts from the adapters of the agents. Do not edit it here.

/** The built-in agents, each with the short names of its models. */
export const AGENT_MODELS: Readonly<Record<string, readonly string[]>> = {
${rows.join('')}};
`;
}

if (import.meta.main) {
  writeFileSync(join(API, 'agent-variables.ts'), agentVariables());
  writeFileSync(join(API, 'agent-names.ts'), agentNames());
}
