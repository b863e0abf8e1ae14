import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HookNews, Talk } from '../agent/agent.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Input, InputId } from '../core/event.ts';
import type { Session } from '../core/session.ts';
import { say, tokenOf } from '../core/steps.ts';
import { runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { waitingBeside } from './answers.ts';
import { type QuestionParts, takeQuestion } from './questions.ts';

export interface SpoolParts extends QuestionParts {
  readonly state: string;
  readonly log: Log;
  readonly clock: Clock;
}

interface Dropped {
  readonly path: string;
  /** Tells this payload from every other, also from a later one under the same name. */
  readonly id: string;
  readonly order: bigint;
}

/** A payload of this size is no hook's. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

/** Takes what the hooks of a run dropped, oldest first. A payload is removed only when what it says is durable. */
export function drainSpool(parts: SpoolParts, session: Session, ref: RunRef, talk: Talk): void {
  for (const dropped of droppedIn(runFolder(parts.state, ref).spool)) {
    const waiting = waitingBeside(dropped.path);
    const payload = readPayload(dropped.path);
    if (waiting !== null) {
      const put = { ...waiting, question: dropped.path, id: dropped.id, payload: payload?.value };
      takeQuestion(parts, session, ref, talk, put);
      continue;
    }
    if (payload === null) {
      parts.log('a hook said something that cannot be read', { session: session.id, file: dropped.path });
      renameSync(dropped.path, `${dropped.path}.tmp`);
      continue;
    }
    for (const [i, news] of talk.hook(payload.value, ref.run, parts.clock.wallMs()).entries()) {
      const current = parts.now(session);
      if (isOfOrigin(current, news) || isKnown(current, news)) continue;
      const id = `hook:${runName(ref)}:${dropped.id}:${i}` as InputId;
      parts.take(current, id, named(current, news, talk));
    }
    rmSync(dropped.path, { force: true });
  }
}

/** Whose prompt it is can be told by its text alone: the agent knows no id of ours. */
function named(session: Session, news: HookNews, talk: Talk): Input {
  if (news.type !== 'hook.prompted') return news;
  const ours = session.prompts.find(
    (p) => p.run === news.run && p.state !== 'queued' && talk.isSameText(say(p)?.text ?? '', news.text),
  );
  return { ...news, token: ours === undefined ? null : tokenOf(ours), text: news.text.slice(0, 8_192) };
}

/** A copy of a conversation may introduce itself as the one it was copied from, until its first prompt. */
function isOfOrigin(session: Session, news: HookNews): boolean {
  const origins = [session.spec.conversation?.forkOf, session.mend.origin];
  return news.type === 'hook.opened' && origins.includes(news.conversation);
}

/** Every hook names its conversation. What is known of it need not be written again. */
function isKnown({ conversation, transcript, run }: Session, news: HookNews): boolean {
  if (news.type !== 'hook.opened' || run?.number !== news.run || !run.spoke) return false;
  return conversation === news.conversation && transcript === news.transcript;
}

/** Half written, or beside a question. */
const ASIDE = /\.(tmp|ask|answer)$/;

function droppedIn(folder: string): Dropped[] {
  return namesIn(folder)
    .filter((name) => !ASIDE.test(name))
    .flatMap((name): Dropped[] => {
      const path = join(folder, name);
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, id: `${name}@${stat.mtimeNs}`, order: stat.mtimeNs }];
    })
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function readPayload(path: string): { readonly value: unknown } | null {
  if (statSync(path).size > PAYLOAD_BYTES_MAX) return null;
  try {
    return { value: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (errnoOf(error) !== '') throw error;
    return null;
  }
}
