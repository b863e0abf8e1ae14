import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import type { HookReport, Hooks } from '../agent/seam/hooks.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { inputId } from '../core/cause.ts';
import type { Input } from '../core/event.ts';
import { say } from '../core/say.ts';
import type { Session } from '../core/session.ts';
import { tokenOf } from '../core/steps.ts';
import { type Dropped, droppedIn } from '../terminal/dropped.ts';
import { runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { waitingBeside } from './answers.ts';
import { type QuestionParts, takeQuestion } from './questions.ts';
import type { Submission } from './session-writer.ts';

export interface SpoolParts extends QuestionParts {
  readonly state: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Submits many inputs in one write; all are durable when it returns. */
  readonly submitAll: (session: Session, inputs: readonly Submission[]) => void;
}

const MOVED = 'moved';

/** How much is written at once. A hook that waits for an answer waits no longer than for this. */
const BATCH_MAX = 100;
/** Reports about the conversation and its prompts are ingested before the output, and separately. */
const FIRST: readonly string[] = ['hook.opened', 'hook.prompted'];

/** No hook has a payload of this size. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Ingests what the hooks of a run wrote, oldest first. A payload is removed only when its content is durable. `before`
 * is called with what is about to be ingested.
 */
export function drainSpool(
  parts: SpoolParts,
  session: Session,
  ref: RunRef,
  { hooks, gate }: Pick<Agent, 'hooks' | 'gate'>,
  before: (type: HookReport['type']) => void = () => {},
): void {
  // One that runs no other hooks of ours may still ask.
  if (hooks === undefined && gate?.asks !== 'hooks') return;
  const batch = new Batch(parts, session);
  for (const dropped of droppedIn(runFolder(parts.state, ref).spool)) {
    const waiting = waitingBeside(dropped.path);
    const payload = readPayload(dropped.payload);
    if (waiting !== null && gate?.asks === 'hooks') {
      batch.write();
      before('hook.asked');
      const question = [dropped.path, dropped.payload];
      takeQuestion(parts, session, ref, gate, { ...waiting, question, id: dropped.id, payload: payload?.value });
      continue;
    }
    if (payload === null || hooks === undefined) {
      parts.log('a hook said something that cannot be read', { session: session.id, file: dropped.payload });
      // Under a name that is never read.
      if (dropped.payload === dropped.path) renameSync(dropped.path, `${dropped.path}.tmp`);
      else rmSync(dropped.path, { force: true });
      continue;
    }
    for (const [i, report] of hooks.read(payload.value, ref.run, parts.clock.wallMs()).entries()) {
      const id = inputId('hook', runName(ref), dropped.id, i);
      if (!FIRST.includes(report.type)) {
        // Everything printed before any of them is there by now.
        if (batch.isEmpty) before(report.type);
        batch.inputs.push({ id, input: report });
        continue;
      }
      const current = parts.now(session);
      if (isOfOrigin(current, report) || isKnown(current, report) || isOfLast(current, report, hooks)) continue;
      batch.write();
      before(report.type);
      parts.submit(parts.now(session), id, named(parts.now(session), report, hooks));
    }
    batch.done(dropped);
  }
  batch.write();
}

/** What is ingested in one write. Its files are removed when it is durable. */
class Batch {
  readonly inputs: Submission[] = [];
  readonly #files: Dropped[] = [];
  readonly #parts: SpoolParts;
  readonly #session: Session;

  constructor(parts: SpoolParts, session: Session) {
    this.#parts = parts;
    this.#session = session;
  }

  get isEmpty(): boolean {
    return this.inputs.length === 0;
  }

  /** Everything in this file is included, or already ingested. */
  done(dropped: Dropped): void {
    this.#files.push(dropped);
    if (this.isEmpty || this.inputs.length >= BATCH_MAX) this.write();
  }

  write(): void {
    if (!this.isEmpty) this.#parts.submitAll(this.#parts.now(this.#session), this.inputs.splice(0));
    for (const { path, payload } of this.#files.splice(0)) {
      // This first: a payload alone is not read again.
      rmSync(path, { force: true });
      if (payload !== path) rmSync(payload, { force: true });
    }
  }
}

/** Only its text says whose prompt it is: the agent knows no id of ours. */
function named(session: Session, report: HookReport, hooks: Hooks): Input {
  if (report.type === 'hook.opened') return { ...report, source: sourceOf(session, report) };
  if (report.type !== 'hook.prompted') return report;
  const ours = session.prompts.find(
    (p) => p.run === report.run && p.state !== 'queued' && hooks.isSameText(say(p)?.text ?? '', report.text),
  );
  return { ...report, token: ours === undefined ? null : tokenOf(ours), text: report.text.slice(0, 8_192) };
}

/** A run that starts with its prompt does not report why it is in this conversation; we know. */
function sourceOf(
  { run, spec }: Session,
  { source, run: number }: Extract<HookReport, { type: 'hook.opened' }>,
): string {
  if (source !== MOVED || run?.number !== number || run.reported) return source;
  if (run.how === 'resume' || run.how === 'visit') return 'resume';
  return (spec.conversation?.forkOf ?? null) === null ? 'startup' : 'fork';
}

/** A copy of a conversation may report the id of its original, until its first prompt. */
function isOfOrigin(session: Session, report: HookReport): boolean {
  const origins = [session.spec.conversation?.forkOf, session.recovery.remediation.origin];
  return report.type === 'hook.opened' && origins.includes(report.conversation);
}

/** The hook of a prompt of ours that the transcript already showed: its turn is over. */
function isOfLast({ turn: { last }, prompts, run }: Session, report: HookReport, hooks: Hooks): boolean {
  if (report.type !== 'hook.prompted' || last?.unmarked !== true || run?.number !== report.run) return false;
  const isPending = prompts.some((p) => p.run === report.run && p.state !== 'queued');
  return !isPending && hooks.isSameText(last.said, report.text);
}

/** Every hook names its conversation. A known one need not be written again. */
function isKnown({ conversation: { id: conversation, transcript }, run }: Session, report: HookReport): boolean {
  if (report.type !== 'hook.opened' || run?.number !== report.run || !run.reported) return false;
  return conversation === report.conversation && transcript === report.transcript;
}

function readPayload(path: string): { readonly value: unknown } | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.size > PAYLOAD_BYTES_MAX) return null;
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (errnoOf(error) !== '') throw error;
    return null;
  }
}
