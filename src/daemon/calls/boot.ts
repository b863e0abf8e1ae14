import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { oursIn } from '../boot/ours.ts';
import { takeOver } from '../boot/resume.ts';
import type { Seen } from '../boot/scan.ts';
import { placeAt } from '../journal/cursor.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Handlers } from '../serve/http.ts';
import { inherited } from '../start/spawn-start.ts';
import { viewOf } from '../views/view.ts';
import type { Parts } from './parts.ts';

type Names = 'boot.run' | 'boot.last' | 'conversation.resume';

/** What callers may ask about conversations that we did not begin. */
export function bootHandlers(parts: Parts): Pick<Handlers, Names> {
  return {
    'boot.run': (input) => bootRun(parts, input),
    'boot.last': ({ limit }) => ({ boots: parts.boot.last(limit) }),
    'conversation.resume': (input) => resumeConversation(parts, input),
  };
}

async function bootRun(parts: Parts, input: HandlerInput<'boot.run'>): Promise<CallOutput<'boot.run'>> {
  const { boot, config, journal } = parts;
  // Nobody would own what is resumed, and nothing would bound it.
  if (!input.dryRun)
    refuseInside(journal, input.caller, 'resume what it did not begin, but one: resume --conversation');
  const { env, umask, dryRun, only, resume, tell, windowMs, delayMs, limit } = input;
  const named = resume.includes('all') ? [] : resume;
  return boot.run({
    why: 'asked',
    caller: { env, umask },
    dryRun,
    // What somebody names may be as old as it likes.
    windowMs: windowMs ?? (named.length > 0 ? Number.POSITIVE_INFINITY : config.boot.windowMs),
    // Whoever names what to resume is there and waits.
    delayMs: delayMs ?? (resume.length > 0 ? 0 : config.boot.delayMs),
    only,
    limit: limit ?? config.boot.limit,
    resume,
    tell,
  });
}

/** Takes over any conversation that nobody has open. */
async function resumeConversation(
  parts: Parts,
  input: HandlerInput<'conversation.resume'>,
): Promise<CallOutput<'conversation.resume'>> {
  const { conversation, env, umask, prompt, trust, caller } = input;
  const seen = refuse(conversation, await parts.boot.find(conversation, { env, umask }));
  const { id } = seen.listed;
  // Nothing comes between this and the start; somebody may have come before.
  const ours = oursIn(parts.journal)(id, seen.atMs);
  if (ours !== null) throw taken(id, ours);
  const owned = (start: HandlerInput<'session.start'>) => inherited(parts, { ...start, caller });
  const resuming = { clock: parts.clock, sessions: parts.sessions, isModelId: parts.isModelId };
  const started = takeOver(resuming, seen, { env, umask }, { prompt, trust, owned });
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
    throw new OutlastError('not_supported', `${id} lives inside ${seen.keeper.agent}: outlast boot --resume ${id}`);
  return seen;
}

function taken(id: string, why: string): OutlastError {
  return new OutlastError('conversation_taken', `the conversation ${id} cannot be taken over: ${why}`);
}
