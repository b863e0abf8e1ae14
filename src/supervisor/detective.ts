import { closeSync, fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Talk } from '../agent/seam/agent.ts';
import { runOf, type Session, type SessionId } from '../core/session.ts';
import type { Breach } from '../core/sight.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { openIfThere } from '../terminal/small-file.ts';
import type { Inside } from './inside.ts';

/** Of one file, so much is read in one look; what is left is read in the next. */
const PIECE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

interface Case {
  /** How far each file was read. */
  readonly offsets: Map<string, number>;
  /** What the calls are called that were seen. */
  readonly tools: Map<string, string>;
  /** What was found. It is told again until somebody acts on it: a look may come to nothing. */
  breach: Breach | null;
}

/**
 * Reads what an agent behind a gate writes down, and finds calls that were made although nobody had allowed them. It
 * does not believe our own hooks: it is there for the day on which they are not run.
 */
export class Detective {
  readonly #cases = new Map<SessionId, Case>();

  look(inside: Inside, session: Session, talk: Talk): Breach | null {
    if (session.spec.conversation?.gate?.mode !== 'gate' || session.run === null) return null;
    const known = this.#cases.get(session.id) ?? { offsets: new Map(), tools: new Map(), breach: null };
    this.#cases.set(session.id, known);
    known.breach ??= this.#search(known, inside, session, talk);
    return known.breach;
  }

  #search(known: Case, inside: Inside, session: Session, talk: Talk): Breach | null {
    for (const path of filesOf(inside, session, talk)) {
      for (const { call, tool, made, atMs } of talk.seenCalls(readOn(known.offsets, path))) {
        if (tool !== null) known.tools.set(call, tool);
        // What stands there from before is nobody's business here: a conversation may be older than its gate.
        const isOld = atMs !== null && atMs < session.createdAtMs;
        if (!made || isOld || isAllowed(inside, session, call)) continue;
        const evidence = `a result of the call ${call} is in ${path}`;
        return { run: runOf(session), call, tool: known.tools.get(call) ?? 'unknown', evidence };
      }
    }
    return null;
  }

  /** A session that is over is not looked at again. */
  forget(session: SessionId): void {
    this.#cases.delete(session);
  }
}

/** The stream of a run of one turn, the transcript, and those of the sub-agents. */
function filesOf({ state, eyes }: Inside, session: Session, talk: Talk): string[] {
  const transcript = eyes.path(session, talk);
  const isTurn = session.spec.drive === 'turns' && session.run?.how !== 'visit';
  const stream = isTurn ? [runFolder(state, { session: session.id, run: runOf(session) }).output] : [];
  if (transcript === null) return stream;
  const below = talk.sideTranscripts(transcript);
  return [...stream, transcript, ...namesIn(below).map((name) => join(below, name))];
}

/** In this session's journal, or open in a dialog that a person at the screen may have answered. */
function isAllowed({ allowed, now }: Inside, session: Session, call: string): boolean {
  const { answers, approvals } = now(session);
  if (answers.some((answer) => answer.call === call && answer.allow)) return true;
  return approvals.some((asked) => asked.call === call && asked.shown) || allowed(session.id, call);
}

/** The whole lines that were written since the last look. */
function readOn(offsets: Map<string, number>, path: string): string {
  const file = openIfThere(path);
  if (file === null) return '';
  try {
    const offset = offsets.get(path) ?? 0;
    const bytes = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(0, fstatSync(file).size - offset)));
    const count = readSync(file, bytes, 0, bytes.length, offset);
    const end = bytes.subarray(0, count).lastIndexOf(LINE_FEED) + 1;
    // A line that is longer than a piece holds no result that we could read; it is passed over.
    offsets.set(path, offset + (end === 0 && count === PIECE_BYTES ? count : end));
    return bytes.toString('utf8', 0, end);
  } finally {
    closeSync(file);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
}
