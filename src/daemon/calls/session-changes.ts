import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { SessionTurns } from '../../supervisor/all-turns.ts';
import { type Kept, unread } from '../changes/changes.ts';
import { compare } from '../changes/compare.ts';
import { turnPrompts } from '../changes/turn-prompts.ts';
import { LogAgents } from '../logs/log-agents.ts';
import { Recorded } from '../logs/recorded.ts';
import type { Parts } from '../serve/parts.ts';

type Input = HandlerInput<'session.changes'>;
type Moment = CallOutput<'session.changes'>['base'];

/** A time at which the files are known. */
interface Known {
  readonly moment: Moment;
  readonly tree: string;
  readonly skipped: readonly string[];
}

/** How much of a transcript is read to find a turn. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024 * 1024;

/** Shows which files an agent session has changed. */
export async function sessionChanges(parts: Parts, input: Input): Promise<CallOutput<'session.changes'>> {
  const { changes, clock, sessions } = parts;
  const row = sessions.find(input.session);
  const { session } = row;
  if (session.spec.drive === 'command')
    throw unread(session, 'it is a command, and changes are tracked only for agents; in a repository use git diff');
  const all = changes.kept(session.id);
  if (all.length === 0) throw unread(session, 'no copy of its files was kept when it started');
  const at = await baseOf(parts, session, all, input);
  const base = knownOf(session, all[at]);
  const next = input.turn === undefined ? undefined : all.slice(at + 1).find(({ tree }) => tree !== null);
  const last = row.live ? undefined : all.findLast((each, i) => each.at === 'end' && i === all.length - 1);
  const end = next ?? last;
  const until = end?.tree == null ? await nowOf(parts, session) : knownOf(session, end);
  const place = changes.place(session);
  const trees = { from: base.tree, to: until.tree, isListOnly: input.stat };
  const compared = await compare(place, trees, clock);
  if ('why' in compared) throw unread(session, compared.why);
  const notCovered = [...new Set([...base.skipped, ...until.skipped])];
  return { session: session.id, root: place.root, base: base.moment, until: until.moment, ...compared, notCovered };
}

/** Which of the kept times it is compared with. */
async function baseOf(parts: Parts, session: Session, all: readonly Kept[], input: Input): Promise<number> {
  const number = input.turn ?? input.sinceTurn;
  if (number === undefined) return 0;
  const prompts = await promptsOf(parts, session, all);
  const wanted = number < 0 ? prompts.length + number : number - 1;
  const name = nameOf(session);
  if (wanted < 0 || wanted >= prompts.length)
    throw new OutlastError('turn_unknown', `${name} has no turn ${number}; it has ${prompts.length}`);
  const at = all.findIndex(({ prompt }) => prompt !== null && prompt === prompts[wanted]);
  if (at < 0) throw unread(session, `its files were not kept before turn ${wanted + 1}, which Outlast did not begin`);
  return at;
}

/** The prompt of each turn. An agent that records nothing has a turn for each prompt that was sent. */
async function promptsOf({ config, agents, journal }: Parts, session: Session, all: readonly Kept[]) {
  const recorded = new Recorded(new LogAgents(agents, () => session.spec.agent));
  recorded.turns = await new SessionTurns(config.state, agents).read(session, TRANSCRIPT_BYTES_MAX);
  if (recorded.turns.length === 0) return all.flatMap(({ prompt }) => prompt ?? []);
  return turnPrompts(recorded, journal.session(session.id).events);
}

function knownOf(session: Session, kept: Kept | undefined): Known {
  const { tree = null, at = 'start', atMs = 0, prompt = null, skipped = [], why = 'unknown' } = kept ?? {};
  if (tree === null) throw unread(session, why);
  return { moment: { at, atMs, prompt }, tree, skipped };
}

async function nowOf({ changes, clock }: Parts, session: Session): Promise<Known> {
  const { tree, skipped } = await changes.now(session);
  return { moment: { at: 'now', atMs: clock.wallMs(), prompt: null }, tree, skipped };
}
