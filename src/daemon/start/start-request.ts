import { knownAgent } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { HandlerInput } from '../../api/contract.ts';
import { inputId } from '../../core/cause.ts';
import type { Session } from '../../core/session.ts';
import type { FromSchedule } from '../../core/spec.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import type { Gates } from '../gate/gates.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { driveIn } from './agent-start.ts';
import { defaultAgent } from './default-agent.ts';
import { gateModeOf } from './gate-start.ts';
import { readImages } from './images.ts';
import type { Sessions, Started } from './sessions.ts';
import { inherited, type OwnedStart } from './spawn-start.ts';
import { startIn } from './worktree-start.ts';

type StartInput = HandlerInput<'session.start'>;

/** The dependencies of a start request. */
export interface StartRequestParts {
  readonly config: Config;
  readonly journal: Journal;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly gates: Gates;
  readonly sessions: Sessions;
  readonly worktrees: Worktrees;
}

/** Who makes a start request: a session, a schedule, or neither. */
export interface Requester {
  readonly owner: Session | null;
  readonly schedule?: FromSchedule;
}

/** Starts a command or an agent as a caller asked for it. */
export async function startRequested(
  parts: StartRequestParts,
  given: StartInput,
  by: Requester,
): Promise<Started & { readonly notes: readonly string[] }> {
  const { input, notes } = completed(parts, given, by);
  if (!isCommand(given)) await demandGate(parts, input);
  const images = isKnown(parts, given) ? [] : await readImages(given.images);
  return { ...(await startIn(parts, { ...input, readImages: images })), notes };
}

/** Checks a start request that is carried out later: it would be accepted now. Returns what to tell its caller. */
export async function checkRequested(parts: StartRequestParts, given: StartInput, by: Requester) {
  const { input, notes } = completed(parts, given, by);
  if (!isCommand(given)) await demandGate(parts, input);
  // Its name may be free by then.
  const { name: _, ...nameless } = input;
  const { spec, warnings } = parts.sessions.prepare(nameless);
  return { spec, warnings: [...notes, ...warnings] };
}

/** The request with its agent, and with what it inherits from its owner. */
function completed(
  parts: StartRequestParts,
  given: StartInput,
  { owner, schedule }: Requester,
): { readonly input: OwnedStart; readonly notes: readonly string[] } {
  const isChosen = isCommand(given) || Boolean(given.agent);
  const chosen = isChosen ? null : defaultAgent(parts, pathOf(given));
  const input = inherited(parts, chosen === null ? given : { ...given, agent: chosen.name }, owner);
  return { input: { ...input, ...(schedule && { schedule }) }, notes: chosen?.notes ?? [] };
}

function isCommand({ argv, shell }: StartInput): boolean {
  return argv !== undefined || shell !== undefined;
}

/** A start that is repeated: its images may be gone by now. */
function isKnown({ journal }: StartRequestParts, { key }: StartInput): boolean {
  return key !== undefined && journal.taken(inputId('start', key)) !== null;
}

/** Refuses a gate that does not work now, rather than with a session that ends right away. */
async function demandGate({ agents, config, gates }: StartRequestParts, input: OwnedStart): Promise<void> {
  const mode = gateModeOf(input, config);
  if (mode === 'off') return;
  const agent = knownAgent(agents, input.agent ?? '');
  const drive = driveIn(agent, input);
  // What is only watched goes through in the end: its agent need not be proven to hold anything back.
  if (mode === 'watch') gates.demandAsking(agent.name, drive);
  else await gates.demand(agent.name, drive, pathOf(input));
}

/** Where the caller's programs are. */
function pathOf({ set, env }: Pick<StartInput, 'set' | 'env'>): string {
  return set.PATH ?? env.PATH ?? '';
}
