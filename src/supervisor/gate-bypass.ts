import type { Agent } from '../agent/seam/agent.ts';
import type { GateWay } from '../agent/seam/gate.ts';
import type { LineReader } from '../agent/seam/lines.ts';
import type { RecordSource } from '../agent/seam/record.ts';
import { OutlastError } from '../base/errors.ts';
import { runOf, type Session, type SessionId } from '../core/session.ts';
import type { Breach } from '../core/snapshot.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { DatabaseTail } from './database-tail.ts';
import { LineTail } from './line-tail.ts';
import type { WorldView } from './world-state.ts';

interface Finding {
  /** The files and databases, each with its read position. */
  readonly files: Map<string, Tail>;
  /** Tool names of calls without a result so far. */
  readonly tools: Map<string, string>;
  /** What was found. Reported until it is acted on: a look may have no consequence. */
  breach: Breach | null;
  /** The state at this look. */
  watched: Watched;
}

type Tail = Pick<LineTail, 'readOn'>;

interface Watched {
  readonly world: WorldView;
  readonly session: Session;
  readonly gate: GateWay;
}

/**
 * Reads the record of a gated agent and finds calls that were made without approval. It does not rely on our hooks: it
 * is there in case they are not run.
 */
export class GateBypassDetector {
  readonly #findings = new Map<SessionId, Finding>();

  async look(world: WorldView, session: Session, agent: Agent): Promise<Breach | null> {
    const { gate } = agent;
    const isGated = session.spec.conversation?.gate?.mode === 'gate';
    if (gate === undefined || !isGated || session.run === null) return null;
    const watched = { world, session, gate };
    const known = this.#findings.get(session.id) ?? { files: new Map(), tools: new Map(), breach: null, watched };
    this.#findings.set(session.id, known);
    known.watched = watched;
    if (known.breach === null) await readOn(known, sourcesOf(world, session, agent));
    return known.breach;
  }

  /** Forgets a session that is over. */
  forget(session: SessionId): void {
    this.#findings.delete(session);
  }
}

/** Reads what was written since the last look. A source that is no longer written is dropped. */
async function readOn(known: Finding, sources: readonly RecordSource[]): Promise<void> {
  const names = sources.map(nameOf);
  for (const name of known.files.keys()) if (!names.includes(name)) known.files.delete(name);
  for (const source of sources) {
    const name = nameOf(source);
    const take = (lines: string): void => {
      known.breach ??= breachIn(known, source.path, lines);
    };
    const tail = known.files.get(name) ?? tailOf(source, take);
    known.files.set(name, tail);
    await tail.readOn(Number.MAX_SAFE_INTEGER).catch((error: unknown) => {
      // A database that is locked is read at the next look.
      if (!(error instanceof OutlastError) || error.code !== 'record_unreadable') throw error;
    });
  }
}

/** One database has many conversations. */
function nameOf(source: RecordSource): string {
  return source.is === 'file' ? source.path : `${source.path} ${source.id}`;
}

function tailOf(source: RecordSource, take: (lines: string) => void): Tail {
  if (source.is === 'file') return new LineTail(source.path, { take, restart: () => {} });
  const reader: LineReader<null, null> = {
    empty: null,
    read: (_, lines) => {
      take(lines);
      return null;
    },
    view: () => null,
  };
  return new DatabaseTail(source, reader);
}

function breachIn({ tools, watched }: Finding, path: string, lines: string): Breach | null {
  const { world, session, gate } = watched;
  for (const { call, tool, made, atMs } of gate.seenCalls(lines)) {
    const name = tool ?? tools.get(call) ?? 'unknown';
    if (tool === null) tools.delete(call);
    else tools.set(call, tool);
    // Earlier entries do not matter: a conversation may be older than its gate.
    const isOld = atMs !== null && atMs < session.created.wallMs;
    if (!made || isOld || isAllowed(world, session, call)) continue;
    return { run: runOf(session), call, tool: name, evidence: `a result of the call ${call} is in ${path}` };
  }
  return null;
}

/** The stream of a run of one turn, the transcript, and those of sub-agents. */
function sourcesOf({ state, transcriptReader }: WorldView, session: Session, agent: Agent): readonly RecordSource[] {
  const sources = transcriptReader.sources(session, agent);
  const { how, isOfEarlierAgent } = session.run ?? {};
  const isTurn = session.spec.drive === 'turns' && how !== 'visit' && !isOfEarlierAgent;
  const { output: path } = runFolder(state, { session: session.id, run: runOf(session) });
  const stream = isTurn ? [{ is: 'file', path } as const] : [];
  const written = sources === null ? [] : [...(sources.main === null ? [] : [sources.main]), ...sources.sides()];
  return [...stream, ...written];
}

/** Recorded in this session's journal, or open in a dialog that a person at the screen may have answered. */
function isAllowed({ allowed, now }: WorldView, session: Session, call: string): boolean {
  const {
    gate: { answers, approvals },
  } = now(session);
  if (answers.some((answer) => answer.call === call && answer.allow)) return true;
  return approvals.some((asked) => asked.call === call && asked.shown) || allowed(session.id, call);
}
