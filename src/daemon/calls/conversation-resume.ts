import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { oursIn } from '../boot/ours.ts';
import { takeOver } from '../boot/resume.ts';
import type { Seen } from '../boot/scan.ts';
import { placeAt } from '../journal/cursor.ts';
import { callerSession } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';
import { inherited } from '../start/spawn-start.ts';
import { viewOf } from '../views/view.ts';

/** Takes over a conversation that no process has open. */
export async function conversationResume(
  parts: Parts,
  input: HandlerInput<'conversation.resume'>,
): Promise<CallOutput<'conversation.resume'>> {
  const { conversation, env, umask, prompt, trust, caller } = input;
  const seen = refuse(conversation, await parts.boot.find(conversation, { env, umask }));
  const { id } = seen.listed;
  const check = (): void => {
    // Nothing can happen between this and the start, but another call may have been first.
    const ours = oursIn(parts.journal)(id, seen.atMs);
    if (ours !== null) throw taken(id, ours);
  };
  // It takes a while to read, so it is checked before that as well.
  check();
  const owner = callerSession(parts.journal, caller);
  const owned = (start: HandlerInput<'session.start'>) => inherited(parts, { ...start, caller }, owner);
  const resuming = { clock: parts.clock, sessions: parts.sessions, isModelId: parts.isModelId };
  const started = await takeOver(resuming, seen, { env, umask }, { prompt, trust, check, owned });
  const { row, warnings } = started;
  return {
    session: viewOf(parts.config.state, row),
    warnings: [...warnings],
    ...placeAt(parts.journal, row.position),
    prompt: started.prompt,
  };
}

function refuse(word: string, all: readonly Seen[]): Seen {
  const [seen] = all;
  if (seen === undefined) throw new OutlastError('conversation_unknown', `no conversation "${word}" was found`);
  const { id } = seen.listed;
  if (all.some(({ listed }) => listed.id !== id))
    throw new OutlastError('conversation_unknown', `${all.length} conversations begin with "${word}"`);
  if (['alive', 'handled', 'foreign-owner'].includes(seen.is)) throw taken(id, seen.why);
  if (seen.keeper.resume.as === 'request')
    throw new OutlastError('not_supported', `${id} belongs to ${seen.keeper.agent}: outlast boot --resume ${id}`);
  return seen;
}

function taken(id: string, why: string): OutlastError {
  return new OutlastError('conversation_taken', `the conversation ${id} cannot be taken over: ${why}`);
}
