import { knownAgent } from '../../agent/known.ts';
import type { TurnRead } from '../../agent/seam/record.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { filesOf, keptIn } from '../../supervisor/kept.ts';
import { tailOf } from '../../supervisor/source-tail.ts';
import { TranscriptReader } from '../../supervisor/transcript-reader.ts';
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

/** The steps of a conversation as the agent records them; followed, until the session has ended. */
export async function* sessionTurns(
  parts: Parts,
  input: HandlerInput<'session.turns'>,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const { session: first } = parts.sessions.find(input.session);
  refuseCommand(first);
  const agent = knownAgent(parts.agents, first.spec.agent);
  const steps = new TurnSteps(agent, input.from);
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

/** Reads the transcript of one session on, wherever it is by now. */
class RecordFollower {
  readonly #parts: Parts;
  readonly #session: string;
  readonly #transcripts: TranscriptReader;
  #tail: ReturnType<typeof tailOf<unknown, readonly TurnRead[]>> | null = null;
  #seen: readonly TurnRead[] = [];

  constructor(parts: Parts, session: string) {
    this.#parts = parts;
    this.#session = session;
    this.#transcripts = new TranscriptReader(parts.config.state);
  }

  async read(): Promise<readonly TurnRead[]> {
    const kept = keptIn(this.#sources(), this.#agent);
    if (kept === null) return this.#seen;
    const tail = tailOf(kept.main, kept.record.turns);
    if (this.#tail?.path !== tail.path) this.#tail = tail;
    await this.#tail.readOn(TRANSCRIPT_BYTES_MAX);
    this.#seen = this.#tail.view;
    return this.#seen;
  }

  /** Waits until the agent has recorded something, or the session has ended. */
  async waitForMore(signal: AbortSignal): Promise<void> {
    const files = filesOf(this.#sources());
    const before = this.#seen;
    const hasMore = async (): Promise<boolean> => !this.#row.live || (await this.read()) !== before;
    const { session } = this.#row;
    const isHidden = files.length === 0 && session.phase.at !== 'idle';
    const watched = { session: session.id, files };
    await waitForChange(this.#parts, watched, hasMore, signal, isHidden ? UNKNOWN_LOOK_MS : undefined);
  }

  get #row() {
    return this.#parts.sessions.find(this.#session);
  }

  get #agent() {
    return knownAgent(this.#parts.agents, this.#row.session.spec.agent);
  }

  #sources() {
    return this.#transcripts.sources(this.#row.session, this.#agent);
  }
}
