import type { Session } from '../core/session.ts';
import { Answers } from './accounts.ts';
import { act } from './act.ts';
import { ofItsAgent } from './agent-mistake.ts';
import { GateBypassDetector } from './gate-bypass.ts';
import { Holders } from './holder.ts';
import { ingest, ingestNow } from './ingest.ts';
import { LeftLimits, noteEnded } from './left-limits.ts';
import { look } from './look.ts';
import type { World } from './loop.ts';
import { Quiet } from './quiet.ts';
import { Servers } from './servers.ts';
import { SignReader } from './signs.ts';
import { StrayProcesses } from './stray-processes.ts';
import { Streams } from './streams.ts';
import { TranscriptReader } from './transcript-reader.ts';
import { openWire } from './wires/open.ts';
import type { WorldDeps, WorldState } from './world-state.ts';

/** What the daemon needs in addition to the loop. */
interface RealWorld extends World {
  readonly boot: string;
  forget(session: Session): void;
  /** A hook of this session wrote something: if it waits for an answer, it gets one now if there is one. */
  ingestNow(session: Session): void;
}

/** The real world: terminals, processes and files, as a session's loop sees and changes them. */
export function realWorld(parts: WorldDeps): RealWorld {
  const world: WorldState = {
    ...parts,
    answers: new Answers(),
    leftLimits: new LeftLimits(),
    transcriptReader: new TranscriptReader(parts.state),
    holders: new Holders(),
    strayProcesses: new StrayProcesses(parts.state),
    quiet: new Quiet(parts.clock),
    signs: new SignReader(),
    bypassDetector: new GateBypassDetector(),
    streams: new Streams(parts),
    servers: new Servers(parts, openWire),
  };
  noteEnded(world, parts.ended?.() ?? []);
  return {
    clock: parts.clock,
    boot: parts.boot,
    ingest: (session) => ofItsAgent(session, () => ingest(world, session)),
    look: (session) => ofItsAgent(session, () => look(world, session)),
    slot: parts.slot,
    act: (session, effect, signal) => act(world, session, effect, signal),
    ingestNow: (session) => ingestNow(world, session),
    forget: (session) => {
      world.transcriptReader.forget(session.id);
      world.holders.forget(session.id);
      world.strayProcesses.forget(session.id);
      world.signs.forget(session.id);
      world.bypassDetector.forget(session.id);
      world.streams.forget(session.id);
      world.servers.forget(session.id);
    },
  };
}
