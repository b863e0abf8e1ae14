import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { AskedCall, HookGate } from '../agent/seam/gate.ts';
import type { Clock } from '../base/clock.ts';
import type { Ruling } from '../core/approval.ts';
import { inputId } from '../core/cause.ts';
import type { Answer, ApprovalId, Session } from '../core/session.ts';
import { shortened } from '../core/shortened.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { type AnswerParts, tell, type Waiting } from './answers.ts';

export interface QuestionParts extends AnswerParts {
  readonly clock: Clock;
  /** How the rules decide a call. */
  readonly judge: (session: Session, call: AskedCall) => Ruling;
}

/** A file of a hook that waits for an answer. */
export interface Put extends Waiting {
  /** The files it is in. */
  readonly question: readonly string[];
  /** Identifies this question. */
  readonly id: string;
  /** Undefined: it cannot be read. */
  readonly payload: unknown;
}

/** A call that is too long for a person to read is not approved. */
const INPUT_CHARS_MAX = 4 * 1024 * 1024;
/** An answer is used at once, or not at all. */
const USE_MS_MAX = 60_000;

/** Writes a question to the journal. If that fails, it is denied at once: without a row nothing may run. */
export function takeQuestion(parts: QuestionParts, session: Session, ref: RunRef, gate: HookGate, put: Put): void {
  const asked = gate.asked(put.payload);
  if (asked?.confirms) return confirm(parts, session, gate, put, asked);
  const refuse = (why: string): void => void tell(put, gate, { say: 'deny', why });
  const input = JSON.stringify(asked?.input) ?? 'null';
  if (asked === null) refuse('Outlast could not read what is asked.');
  else if (input.length > INPUT_CHARS_MAX) refuse('The call is too large to be judged.');
  else if (!ask(parts, session, ref, gate, { ...put, asked, input })) refuse('The session is being ended.');
  for (const path of put.question) rmSync(path, { force: true });
}

interface Asking extends Put {
  readonly asked: AskedCall;
  readonly input: string;
}

/** Records the question; false: it no longer belongs to this session. */
function ask(parts: QuestionParts, session: Session, ref: RunRef, gate: HookGate, put: Asking): boolean {
  const { asked, input } = put;
  const { tool, subagent } = asked;
  const approval = idOf(`${runName(ref)} ${put.id}`);
  const current = parts.now(session);
  const call = asked.call ?? callLike(current, tool, asked.input);
  const ruling = parts.judge(current, asked);
  // On a screen the agent's own dialog opens, and a person there may answer it too.
  const isShown = ruling.verdict === 'ask' && current.spec.drive === 'live' && isStrict(current);
  parts.submit(current, inputId('hook', runName(ref), put.id, 'ask'), {
    type: 'hook.asked',
    ...{ run: ref.run, approval, call, tool, input, subagent, ruling },
    hash: hashOf(asked.input),
    hook: isShown ? '' : put.hook,
  });
  const {
    gate: { approvals, answers },
  } = parts.now(session);
  // Under its first id, if it was deferred.
  const isTaken = [...approvals.map((each) => ({ ...each, approval: each.id })), ...answers].some(
    (each) => each.approval === approval || (each.hook !== '' && each.hook === put.hook),
  );
  if (isTaken && isShown) tell(put, gate, { say: 'ask', why: 'Outlast asks about this call.' });
  return isTaken;
}

/** The call that the agent has reported and that nobody was asked about yet, if a question does not name it. */
function callLike({ turn, gate }: Session, tool: string, input: unknown): string | null {
  const text = shortened(JSON.stringify(input) ?? '');
  const known = [...gate.approvals, ...gate.answers].map(({ call }) => call);
  return turn.calls.find((each) => each.tool === tool && each.input === text && !known.includes(each.id))?.id ?? null;
}

function isStrict({ spec }: Session): boolean {
  return spec.conversation?.gate?.mode === 'gate';
}

/**
 * The agent is about to make a call. Only a call that was allowed, exactly and just now, is made; each answer once. If
 * the question is still open, the agent shows a dialog about it, and this hook waits for the answer.
 */
function confirm(parts: QuestionParts, session: Session, gate: HookGate, put: Put, asked: AskedCall): void {
  const {
    gate: { answers, approvals },
  } = parts.now(session);
  const hash = hashOf(asked.input);
  const fits = (given: { tool: string; hash: string }): boolean => given.tool === asked.tool && given.hash === hash;
  const answer = answers.find((each) => isFresh(parts, each) && fits({ ...each, hash: each.granted }));
  // A daemon that died before it removed the question finds its own hook there.
  const open = approvals.find((each) => (each.hook === '' || each.hook === put.hook) && fits(each));
  if (answer !== undefined) {
    const { approval, seq } = answer;
    parts.submit(session, inputId('use', approval), { type: 'use', approval });
    const isUsed = parts.now(session).gate.answers.some((each) => each.approval === approval && each.used);
    tell(put, gate, { say: isUsed ? 'allow' : 'deny', why: parts.said(session.id, seq).why, confirms: true });
  } else if (open !== undefined) {
    const { hook } = put;
    parts.submit(session, inputId('show', hook), { type: 'show', approval: open.id, hook });
  } else {
    // A no that arrived before the dialog.
    const denial = answers.findLast((each) => !each.allow && fits(each));
    const why =
      denial === undefined ? 'there is no approval for exactly this call' : parts.said(session.id, denial.seq).why;
    tell(put, gate, { say: 'deny', why, confirms: true });
  }
  for (const path of put.question) rmSync(path, { force: true });
}

function isFresh({ clock }: QuestionParts, { allow, used, atMs }: Answer): boolean {
  return allow && !used && clock.steadyMs() - atMs < USE_MS_MAX;
}

/** Of a tool's input, independent of key order. */
export function hashOf(input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(input)) ?? 'null')
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Short enough to type. Two questions with the same input have different ids. */
export function idOf(text: string): ApprovalId {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 8);
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('') as ApprovalId;
}
