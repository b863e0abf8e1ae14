import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Looks for interrupted conversations, and resumes them. */
export async function bootRun(parts: Parts, input: HandlerInput<'boot.run'>): Promise<CallOutput<'boot.run'>> {
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
