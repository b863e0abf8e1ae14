import { knownAgent } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { type AgentTurn, SessionTurns } from '../../supervisor/all-turns.ts';
import { refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { TurnSteps } from '../views/turn-steps.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

type Line = CallOutput<'session.turns'>;

/** How much of a transcript is read for display. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024 * 1024;
/** A transcript that is nowhere yet cannot be watched, and an agent at work may begin one at any time. */
const UNKNOWN_LOOK_MS = 250;
/** For each millisecond of reading so many are left to others: the view of a long conversation takes long. */
const PAUSE_SHARE = 4;

/** The steps of a conversation as its agents record them; followed, until the session has ended. */
export async function* sessionTurns(
  parts: Parts,
  input: HandlerInput<'session.turns'>,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const { session: first } = parts.sessions.find(input.session);
  refuseCommand(first);
  // Refuses a session whose agent is not in the config any more.
  knownAgent(parts.agents, first.spec.agent);
  const steps = new TurnSteps(parts.agents, input.from);
  const reader = new RecordFollower(parts, first.id);
  const events = () => parts.journal.session(first.id).events;
  while (!signal.aborted) {
    // Checked before the transcript is read: an ended session records nothing more.
    const isOver = !input.follow || !parts.sessions.find(first.id).live;
    const beganMs = parts.clock.steadyMs();
    const lines = steps.changes(await reader.read(), events);
    yield* lines;
    if (isOver) return;
    if (lines.length > 0) await parts.clock.sleep((parts.clock.steadyMs() - beganMs) * PAUSE_SHARE, signal);
    else await reader.waitForMore(signal);
  }
}

/** Reads the conversation of one session on, wherever it is by now. */
class RecordFollower {
  readonly #parts: Parts;
  readonly #session: string;
  readonly #turns: SessionTurns;
  #seen: readonly AgentTurn[] = [];

  constructor(parts: Parts, session: string) {
    this.#parts = parts;
    this.#session = session;
    this.#turns = new SessionTurns(parts.config.state, parts.agents);
  }

  async read(): Promise<readonly AgentTurn[]> {
    this.#seen = await this.#turns.read(this.#row.session, TRANSCRIPT_BYTES_MAX);
    return this.#seen;
  }

  /** Waits until the agent has recorded something, or the session has ended. */
  async waitForMore(signal: AbortSignal): Promise<void> {
    const { session } = this.#row;
    const files = this.#turns.files(session);
    const before = this.#seen;
    const hasMore = async (): Promise<boolean> => !this.#row.live || (await this.read()) !== before;
    const isHidden = files.length === 0 && session.phase.at !== 'idle';
    const watched = { session: session.id, files };
    await waitForChange(this.#parts, watched, hasMore, signal, isHidden ? UNKNOWN_LOOK_MS : undefined);
  }

  get #row() {
    return this.#parts.sessions.find(this.#session);
  }
}
