import { knownAgent } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { inputId } from '../../core/cause.ts';
import { placeAt } from '../journal/cursor.ts';
import type { Parts } from '../serve/parts.ts';
import { driveIn } from '../start/agent-start.ts';
import { defaultAgent } from '../start/default-agent.ts';
import { gateModeOf } from '../start/gate-start.ts';
import { readImages } from '../start/images.ts';
import { inherited } from '../start/spawn-start.ts';
import { startIn } from '../start/worktree-start.ts';
import { viewOf } from '../views/view.ts';

/** Starts a command or an agent. */
export async function sessionStart(
  parts: Parts,
  given: HandlerInput<'session.start'>,
): Promise<CallOutput<'session.start'>> {
  const { config } = parts;
  const isCommand = given.argv !== undefined || given.shell !== undefined;
  const isChosen = isCommand || Boolean(given.agent);
  const chosen = isChosen ? null : defaultAgent(parts, pathOf(given));
  const input = inherited(parts, chosen === null ? given : { ...given, agent: chosen.name });
  if (!isCommand) await demandGate(parts, input);
  const images = isKnown(parts, given) ? [] : await readImages(given.images);
  const { row, warnings, prompt } = await startIn(parts, { ...input, readImages: images });
  return {
    session: viewOf(config.state, row),
    warnings: [...(chosen?.notes ?? []), ...warnings],
    ...placeAt(parts.journal, row.position),
    prompt,
  };
}

/** A start that is repeated: its images may be gone by now. */
function isKnown({ journal }: Parts, { key }: HandlerInput<'session.start'>): boolean {
  return key !== undefined && journal.taken(inputId('start', key)) !== null;
}

/** Refuses a gate that does not work now, rather than with a session that ends right away. */
async function demandGate({ agents, config, gates }: Parts, input: ReturnType<typeof inherited>): Promise<void> {
  const mode = gateModeOf(input, config);
  if (mode === 'off') return;
  const agent = knownAgent(agents, input.agent ?? '');
  const drive = driveIn(agent, input);
  // What is only watched goes through in the end: its agent need not be proven to hold anything back.
  if (mode === 'watch') gates.demandAsking(agent.name, drive);
  else await gates.demand(agent.name, drive, pathOf(input));
}

/** Where the caller's programs are. */
function pathOf({ set, env }: Pick<HandlerInput<'session.start'>, 'set' | 'env'>): string {
  return set.PATH ?? env.PATH ?? '';
}
