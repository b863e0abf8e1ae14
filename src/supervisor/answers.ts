import { closeSync, constants, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HookAnswer, HookGate } from '../agent/seam/gate.ts';
import { errnoOf } from '../base/errors.ts';
import { writeWhole } from '../base/files.ts';
import { inputId } from '../core/cause.ts';
import type { Input, InputId } from '../core/event.ts';
import type { Answer, Session, SessionId } from '../core/session.ts';
import { isAlive, parseIdentity } from '../terminal/processes.ts';
import { runFolder, runName } from '../terminal/run-folder.ts';
import { readIfThere } from '../terminal/small-file.ts';
import type { RunRef } from '../terminal/terminal.ts';

export interface AnswerParts {
  readonly state: string;
  /** Durable when it returns. A known id changes nothing. */
  readonly submit: (session: Session, id: InputId, input: Input) => void;
  /** The current session. */
  readonly now: (session: Session) => Session;
  /** The details of an answer: the reason, and the edited input. */
  readonly said: (session: SessionId, seq: number) => { readonly why: string; readonly edit?: string };
}

/** The suffix of a FIFO in which a hook waits for its answer. */
export const ASK = '.ask';
/** Longer answers are written to a file; a write of this size into a FIFO is atomic. */
const ANSWER = '.answer';
const PIECE_BYTES_MAX = 4_000;

/** Identifies a waiting hook: names alone may be reused. */
export interface Waiting {
  readonly path: string;
  readonly hook: string;
}

/** The hook that wrote this file and waits for an answer; null: it does not wait. */
export function waitingBeside(path: string): Waiting | null {
  const stat = statSync(path + ASK, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || !stat.isFIFO()) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { path: path + ASK, hook: `${name}@${stat.ino}.${stat.mtimeNs}` };
}

/**
 * Sends decisions to the hooks that wait. Doing it twice is harmless: a hook reads one line and exits. An answer goes
 * only to the hook that asked.
 */
export function answerHooks(parts: AnswerParts, session: Session, ref: RunRef, gate: HookGate): void {
  const { spool, command } = runFolder(parts.state, ref);
  for (const name of asksIn(spool)) {
    const waiting = waitingBeside(join(spool, name.slice(0, -ASK.length)));
    if (waiting === null) continue;
    const {
      gate: { approvals, answers, deferred },
    } = parts.now(session);
    const pending = approvals.find(({ hook }) => hook === waiting.hook);
    if (pending !== undefined && deferred?.is === 'told' && deferred.approval === pending.id) {
      // A hook that is gone may have got its answer from an earlier daemon.
      if (!tell(waiting, gate, { say: 'defer', why: 'Outlast asks about this call.' }))
        rmSync(waiting.path, { force: true });
      continue;
    }
    const answer = answers.findLast(({ hook }) => hook === waiting.hook);
    const isThere = answer === undefined ? isListening(waiting) : give(parts, session, waiting, answer, gate);
    const approval = pending?.id ?? answer?.approval;
    if (isThere || approval === undefined) continue;
    const miss = { type: 'miss', approval, closed: isRunning(command) } as const;
    parts.submit(session, inputId('miss', runName(ref), waiting.hook), miss);
    rmSync(waiting.path, { force: true });
  }
}

/** Is the agent alive that would have waited for its hook? */
function isRunning(path: string): boolean {
  const agent = parseIdentity(readIfThere(path)?.toString() ?? '');
  return agent !== null && isAlive(agent);
}

/** Tells a hook what to do. */
export function tell(waiting: Waiting, gate: HookGate, answer: HookAnswer): boolean {
  return deliver(waiting, gate.answer(answer));
}

/** A hook that asks whether the call may be made now gets its answer once. */
function give(parts: AnswerParts, session: Session, waiting: Waiting, answer: Answer, gate: HookGate): boolean {
  const { approval, seq, shown } = answer;
  if (shown && answer.allow && !answer.used) parts.submit(session, inputId('use', approval), { type: 'use', approval });
  const say = answer.allow ? 'allow' : 'deny';
  return deliver(waiting, gate.answer({ say, ...parts.said(session.id, seq), confirms: shown }));
}

/** Writes the answer; false: no process reads it any more. */
function deliver({ path }: Waiting, text: string): boolean {
  const fifo = openIfListening(path);
  if (fifo === null) return false;
  try {
    const isLong = Buffer.byteLength(text) > PIECE_BYTES_MAX;
    if (isLong) writeWhole(path.slice(0, -ASK.length) + ANSWER, text);
    writeSync(fifo, `${isLong ? 'file' : text}\n`);
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EPIPE') return false;
    throw error;
  } finally {
    closeSync(fifo);
  }
}

function isListening({ path }: Waiting): boolean {
  const fifo = openIfListening(path);
  if (fifo !== null) closeSync(fifo);
  return fifo !== null;
}

/** Without waiting for a reader: a hook opens its FIFO before it asks, so without a reader it is gone. */
function openIfListening(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENXIO', 'ENOENT'].includes(errnoOf(error))) return null;
    throw error;
  }
}

function asksIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ASK));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
