import { knownAgents } from '../../agent/known.ts';
import { CAPABILITIES, CAPABILITY_NAMES } from '../../agent/seam/capabilities.ts';
import { type Support, supportOf } from '../../agent/support.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { type FoundProgram, findProgram, isOlder } from '../gate/agent-version.ts';
import type { Parts } from '../serve/parts.ts';

type Told = CallOutput<'agent.list'>['agents'][number];

/** Lists the known agents, where each is installed for the caller, and its capabilities. */
export async function agentList(
  { agents, clock }: Pick<Parts, 'agents' | 'clock'>,
  { path }: HandlerInput<'agent.list'>,
): Promise<CallOutput<'agent.list'>> {
  const all = supportOf(knownAgents(agents));
  const told = all.map(async (support) =>
    toldOf(support, support.wrong === null ? await findProgram(support.program, { clock, path }) : null),
  );
  return { agents: await Promise.all(told) };
}

/** One agent in the list. */
export function toldOf(support: Support, found: FoundProgram | null): Told {
  const { name, isStarted: started, versions, has, only, lacks, program, wrong } = support;
  const { install, oldest } = program;
  const capabilities = CAPABILITY_NAMES.map((each) => {
    const works = has.includes(each);
    const why = works ? null : (lacks[each] ?? 'no reason given');
    return { name: each, about: CAPABILITIES[each], works, only: only[each] ?? null, why };
  });
  const installed = found === null ? null : { ...found, known: knownAs(support, found.version) };
  return { name, started, wrong, installed, tested: [...versions], oldest, install, capabilities };
}

function knownAs(
  { versions, program, isConfigured }: Support,
  version: string | null,
): NonNullable<Told['installed']>['known'] {
  if (version === null) return 'unknown';
  if (isOlder(version, program.oldest)) return 'too-old';
  if (isConfigured) return 'untested';
  // A program that is part of Outlast was tested with it.
  return versions.length === 0 || versions.includes(version) ? 'tested' : 'untested';
}
