import type { Agent } from '../agent/seam/agent.ts';
import type { AskedCall, GateKind } from '../agent/seam/gate.ts';
import type { Piece } from '../agent/seam/piece.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Ruling } from '../core/approval.ts';
import type { Input, InputId } from '../core/event.ts';
import type { Session, SessionId, TerminalKind } from '../core/session.ts';
import type { AfterSnapshot } from '../core/snapshot.ts';
import type { MemoryCaps } from '../terminal/memory-cap.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Answers } from './accounts.ts';
import type { GateBypassDetector } from './gate-bypass.ts';
import type { Holders } from './holder.ts';
import type { LeftLimits } from './left-limits.ts';
import type { Quiet } from './quiet.ts';
import type { Servers } from './servers.ts';
import type { Submission } from './session-writer.ts';
import type { SignReader } from './signs.ts';
import type { StrayProcesses } from './stray-processes.ts';
import type { Streams } from './streams.ts';
import type { TranscriptReader } from './transcript-reader.ts';

/** The readable part of the world. */
interface WorldReads {
  readonly state: string;
  readonly clock: Clock;
  readonly boot: string;
  /** Is this the first look after a planned restart? */
  readonly planned: () => boolean;
  readonly terminals: Readonly<Record<TerminalKind, Pick<Terminal, 'look' | 'screen' | 'viewers'>>>;
  readonly agents: Readonly<Record<string, Agent>>;
  /** May one more run be opened? */
  readonly slot: (session?: Session) => boolean;
  /** Does it expect updates from sessions that it owns? */
  readonly expects?: (session: Session) => boolean;
  /** Why its tree may not use more. */
  readonly overdrawn?: (session: Session) => string | null;
  /** The current session. */
  readonly now: (session: Session) => Session;
  /** All sessions that are being driven. */
  readonly live: () => readonly Session[];
  /** Resumes after faults since this steady time, of all sessions. */
  readonly resumes: (sinceSteadyMs: number) => number;
  /** The other sessions of its agent in its folder. */
  readonly beside?: (session: Session) => readonly Session[];
  /** The state of the sessions that this one depends on. */
  readonly after: (session: Session) => AfterSnapshot;
  /** Was this call of a session ever allowed? */
  readonly allowed: (session: SessionId, call: string) => boolean;
}

/** What the world is built from. */
export interface WorldDeps extends WorldReads {
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  /** The program that receives hook reports. */
  readonly hookProgram: string;
  /** Submits a hook report; durable when it returns. */
  readonly submit: (session: Session, id: InputId, input: Input) => void;
  /** Submits many inputs in one write; all are durable when it returns. */
  readonly submitAll: (session: Session, inputs: readonly Submission[]) => void;
  /** Makes its loop look again now. */
  readonly nudge: (session: SessionId) => void;
  /** Sessions that have ended, the newest first and not all. */
  readonly ended?: () => readonly Session[];
  /** An account got a reply: limited sessions look again. */
  readonly answered: () => void;
  /** How the rules decide a tool call. */
  readonly judge: (session: Session, call: AskedCall) => Ruling;
  /** The details of an answer. */
  readonly said: (session: SessionId, seq: number) => { readonly why: string; readonly edit?: string };
  /** How the agent of this session is made to ask about every call; rejects if that is not proven to work. */
  readonly gateWay: (session: Session) => Promise<GateKind>;
  /** The program that asks about a tool call. */
  readonly askProgram: string;
  /** The program for an agent without a hook for the second question. */
  readonly permissionServer: readonly [string, ...string[]];
  /** Is called, and waited for, before an agent is started or gets a prompt for the first time. */
  readonly beforeTurn?: (session: Session, prompt: string | null) => Promise<void>;
  /** A part of a text that an agent is writing. */
  readonly wrote?: (session: SessionId, piece: Piece) => void;
  /** How the kernel limits memory here. */
  readonly caps: Pick<MemoryCaps, 'capFor' | 'release'>;
  readonly log: Log;
}

/** What a look gets: everything that can be read, and nothing that writes, answers or presses a key. */
export interface WorldView extends WorldReads {
  readonly answers: Pick<Answers, 'last'>;
  readonly leftLimits: Pick<LeftLimits, 'of' | 'isEmpty'>;
  readonly transcriptReader: TranscriptReader;
  readonly holders: Holders;
  readonly strayProcesses: StrayProcesses;
  readonly quiet: Quiet;
  readonly signs: SignReader;
  readonly bypassDetector: GateBypassDetector;
  readonly streams: Pick<Streams, 'progress'>;
  readonly servers: Pick<Servers, 'look'>;
}

/** The whole world, for ingesting and acting. */
export interface WorldState extends WorldDeps, WorldView {
  readonly terminals: WorldDeps['terminals'];
  readonly answers: Answers;
  readonly leftLimits: LeftLimits;
  readonly streams: Streams;
  readonly servers: Servers;
}

/** Why the agent of a session cannot be used now, in words; null: it can. It is read from the config at each start. */
export function unknownAgent({ agents }: Pick<WorldReads, 'agents'>, { spec }: Session): string | null {
  const agent = Object.hasOwn(agents, spec.agent) ? agents[spec.agent] : undefined;
  if (agent === undefined) return `the agent "${spec.agent}" is no longer in the config`;
  if (agent.wrong !== undefined) return agent.wrong;
  if (spec.drive === 'command' || agent[spec.drive] !== undefined) return null;
  return `the config no longer says how the agent "${spec.agent}" is driven in ${spec.drive}`;
}

/** The adapter of the session's agent. */
export function agentOf({ agents }: Pick<WorldReads, 'agents'>, session: Session): Agent {
  const agent = Object.hasOwn(agents, session.spec.agent) ? agents[session.spec.agent] : undefined;
  if (agent === undefined) throw new OutlastError('not_supported', `there is no agent "${session.spec.agent}"`);
  return agent;
}
