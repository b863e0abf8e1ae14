import { errnoOf, OutlastError } from '../base/errors.ts';
import type { Session } from '../core/session.ts';
import { Answers } from './accounts.ts';
import { act } from './act.ts';
import { GateBypassDetector } from './gate-bypass.ts';
import { Holders } from './holder.ts';
import { agentOf, type Inside, type WorldParts } from './world-state.ts';
import { Left } from './left.ts';
import { hear, look } from './look.ts';
import type { World } from './loop.ts';
import { Quiet } from './quiet.ts';
import { refOf } from './runs.ts';
import { SignReader } from './signs.ts';
import { Streams } from './streams.ts';
import { TranscriptReader } from './transcript-reader.ts';

/** What the daemon needs besides what a loop does. */
interface RealWorld extends World {
  readonly boot: string;
  forget(session: Session): void;
  /** A hook of this session said something: one that waits for an answer gets it now if there is one. */
  hear(session: Session | null): void;
}

/** The real world: terminals, processes and files, as a session's loop sees and changes them. */
export function realWorld(parts: WorldParts): RealWorld {
  const inside: Inside = {
    ...parts,
    answers: new Answers(),
    transcriptReader: new TranscriptReader(parts.state),
    holders: new Holders(),
    left: new Left(parts.state),
    quiet: new Quiet(parts.clock),
    signs: new SignReader(),
    bypassDetector: new GateBypassDetector(),
    streams: new Streams(parts),
  };
  return {
    clock: parts.clock,
    boot: parts.boot,
    look: (session) => look(inside, session),
    slot: parts.slot,
    act: (session, effect, signal) => act(inside, session, effect, signal),
    hear: (session) => {
      if (session?.spec.conversation?.gate !== undefined) hearNow(inside, session);
    },
    forget: (session) => {
      inside.transcriptReader.forget(session.id);
      inside.holders.forget(session.id);
      inside.left.forget(session.id);
      inside.signs.forget(session.id);
      inside.bypassDetector.forget(session.id);
      inside.streams.forget(session.id);
    },
  };
}

/** What fails here is found again by the next look, which says so. */
function hearNow(inside: Inside, session: Session): void {
  const agent = agentOf(inside, session);
  const ref = refOf(session);
  if (ref.run === 0) return;
  try {
    hear(inside, session, ref, agent);
  } catch (error) {
    if (!(error instanceof OutlastError) && errnoOf(error) === '') throw error;
    inside.log('a hook cannot be heard for now', { session: session.id, why: String(error) });
  }
}
