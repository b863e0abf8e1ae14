import type { LiveDrive } from '../agent/seam/live.ts';
import { say } from '../core/say.ts';
import type { Session } from '../core/session.ts';
import type { ScreenSnapshot, TerminalSnapshot } from '../core/snapshot.ts';
import { stateOf } from './agent-files.ts';
import { refOf, terminalOf } from './runs.ts';
import type { WorldView } from './world-state.ts';

/** The screen, and the state that the agent recorded. A key is pressed only if both say that it waits. */
export async function screenSnapshot(
  world: WorldView,
  session: Session,
  live: LiveDrive,
  { pid, quietMs }: Alive,
): Promise<ScreenSnapshot> {
  const screen = await world.terminals[terminalOf(session)].screen(refOf(session));
  const shown = live.read(screen);
  if (shown.is === 'dialog') return shown;
  if (shown.is === 'unknown') {
    // An unknown screen that does not change waits for a person. An empty screen is not drawn yet.
    const isStrange = quietMs > STRANGE_MS && screen.rows.some((row) => row.trim() !== '');
    return isStrange ? { is: 'dialog', why: STRANGE } : shown;
  }
  const state =
    pid > 0 && live.state !== undefined ? stateOf(live.state, world.transcriptReader.env(session), pid) : null;
  if (shown.is === 'busy' || state?.is === 'busy') {
    const { tokens } = shown;
    return { is: 'busy', draft: shown.draft !== null, ...(tokens !== undefined && { tokens }) };
  }
  if (state?.is === 'waiting') return { is: 'unknown' };
  // An input box is drawn before it accepts input. Only for an agent without a state file the screen alone decides.
  if (session.phase.at === 'starting' && state?.is !== 'idle' && quietMs < STATELESS_MS) return { is: 'unknown' };
  return { is: shown.draft === null ? 'ready' : boxOf(session, live, shown.draft) };
}

type Alive = Extract<TerminalSnapshot, { is: 'alive' }>;

/** A screen that has not changed for this long is stable. */
const STATELESS_MS = 3_000;
const STRANGE_MS = 4_000;
const STRANGE = {
  kind: 'unknown',
  text: 'It shows a screen that Outlast does not recognize, and waits. Attach and look; Ctrl-L there redraws it.',
};

/** A text of this length is not typed twice by chance. */
const PART_CHARS_MIN = 40;

/** Whose text is in the box? Lines are wrapped there, so blanks are ignored. */
function boxOf(session: Session, live: LiveDrive, draft: string): 'holding' | 'stale' | 'draft' {
  const bare = live.boxText;
  const box = bare(draft);
  const sent = session.prompts.find((p) => p.state === 'sending' || p.state === 'unsure');
  const text = say(sent)?.text ?? null;
  if (text !== null && (bare(text) === box || live.isPlaceholder(draft, text))) return 'holding';
  const { stale } = session.turn;
  if (stale === null) return 'draft';
  // Of a long text the box shows a part. A placeholder may stand for another person's paste, which is not ours to
  // remove.
  const isPart = box.length > PART_CHARS_MIN && bare(stale).includes(box);
  return isPart || bare(stale) === box ? 'stale' : 'draft';
}
