import * as z from 'zod';
import { allAgents, DEFAULT_AGENT } from '../../agent/all.ts';
import { knownAgents } from '../../agent/known.ts';

const shortName = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, 'must be a-z, 0-9, . and -, at most 63 characters');
const modelId = z.string().min(1).max(200);

/** The names of all built-in agents that can be given prompts. Where their programs are does not matter here. */
const agentNames = (): string[] => knownAgents(allAgents('', () => '')).map(({ name }) => name);

/** Short names of models: a table per agent. A name outside of a table belongs to the default agent. */
export const configModels = z.record(shortName, z.union([modelId, z.record(shortName, modelId)]));

/** A misspelt agent would be a table that nothing reads. */
export function checkModels(
  { models, agents }: Pick<ModelConfig, 'models'> & { readonly agents: Readonly<Record<string, unknown>> },
  context: z.core.$RefinementCtx,
): void {
  const names = [...agentNames(), ...Object.keys(agents)];
  for (const [key, value] of Object.entries(models))
    if (typeof value === 'object' && !names.includes(key)) {
      const message = `is not an agent; available: ${names.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['models', key], message });
    }
}

interface ModelConfig {
  readonly agent: string;
  readonly models: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The short names that the config has for an agent, with the ids they mean. */
export function configuredModels({ agent, models }: ModelConfig, name: string): ReadonlyMap<string, string> {
  const own = Object.hasOwn(models, name) ? models[name] : undefined;
  const plain = Object.entries(models).flatMap(([short, id]) => (typeof id === 'string' ? [[short, id] as const] : []));
  return new Map([
    ...(name === (agent || DEFAULT_AGENT) ? plain : []),
    ...(typeof own === 'object' ? Object.entries(own) : []),
  ]);
}
