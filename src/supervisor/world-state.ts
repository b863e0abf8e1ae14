import type { Agent } from '../agent/seam/agent.ts';
import type { AskedCall, GateKind } from '../agent/seam/gate.ts';
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
import type { Quiet } from './quiet.ts';
import type { Servers } from './servers.ts';
import type { Submission } from './session-writer.ts';
import type { SignReader } from './signs.ts';
import type { StrayProcesses } from './stray-processes.ts';
import type { Streams } from './streams.ts';
import type { TranscriptReader } from './transcript-reader.ts';

/** What of the world can be read. */
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
  /** Will it be woken by sessions that it owns? */
  readonly expects?: (session: Session) => boolean;
  /** Why its tree may use up nothing more. */
  readonly overdrawn?: (session: Session) => string | null;
  /** The session as it is by now. */
  readonly now: (session: Session) => Session;
  /** All sessions that are being driven. */
  readonly live: () => readonly Session[];
  /** Resumes after faults since this steady time, of all sessions that ever were. */
  readonly resumes: (sinceSteadyMs: number) => number;
  /** The other sessions of its agent in its folder. */
  readonly beside?: (session: Session) => readonly Session[];
  /** How the sessions are that this one comes after. */
  readonly after: (session: Session) => AfterSnapshot;
  /** Was this call of a session ever allowed? */
  readonly allowed: (session: SessionId, call: string) => boolean;
}

/** What the world is made of. */
export interface WorldDeps extends WorldReads {
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  /** The program that takes what hooks report. */
  readonly hookProgram: string;
  /** Takes what a hook reports; durable when it returns. */
  readonly submit: (session: Session, id: InputId, input: Input) => void;
  /** Takes many inputs in one write; all are durable when it returns. */
  readonly submitAll: (session: Session, inputs: readonly Submission[]) => void;
  /** Look at it again now. */
  readonly nudge: (session: SessionId) => void;
  /** An account got an answer: those who are parked look again. */
  readonly answered: () => void;
  /** What the rules say about a tool call. */
  readonly judge: (session: Session, call: AskedCall) => Ruling;
  /** What was said with an answer. */
  readonly said: (session: SessionId, seq: number) => { readonly why: string; readonly edit?: string };
  /** How the agent of this session is told that every call needs a yes; rejects when that is not proven to work. */
  readonly gateWay: (session: Session) => Promise<GateKind>;
  /** The program that puts a question about a tool call. */
  readonly askProgram: string;
  /** The program for an agent that calls no hook for the second question. */
  readonly permissionServer: readonly [string, ...string[]];
  /** How the kernel bounds memory here. */
  readonly caps: Pick<MemoryCaps, 'capFor' | 'release'>;
  readonly log: Log;
}

/** What a look is given: all that can be read, and nothing that writes, answers or presses a key. */
export interface WorldView extends WorldReads {
  readonly answers: Pick<Answers, 'last'>;
  readonly transcriptReader: TranscriptReader;
  readonly holders: Holders;
  readonly strayProcesses: StrayProcesses;
  readonly quiet: Quiet;
  readonly signs: SignReader;
  readonly bypassDetector: GateBypassDetector;
  readonly streams: Pick<Streams, 'progress'>;
  readonly servers: Pick<Servers, 'look'>;
}

/** The whole world, for those who change it: what ingests, and what acts. */
export interface WorldState extends WorldDeps, WorldView {
  readonly terminals: WorldDeps['terminals'];
  readonly answers: Answers;
  readonly streams: Streams;
  readonly servers: Servers;
}

/** What we know about the session's kind of agent. */
export function agentOf({ agents }: Pick<WorldReads, 'agents'>, session: Session): Agent {
  const agent = Object.hasOwn(agents, session.spec.agent) ? agents[session.spec.agent] : undefined;
  if (agent === undefined) throw new OutlastError('not_supported', `there is no agent "${session.spec.agent}"`);
  return agent;
}
