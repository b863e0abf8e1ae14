import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refuseInside } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Scans for interrupted conversations, and resumes them. */
export async function bootRun(parts: Parts, input: HandlerInput<'boot.run'>): Promise<CallOutput<'boot.run'>> {
  const { boot, config, journal } = parts;
  // The resumed sessions would have no owner and no limits.
  if (!input.dryRun)
    refuseInside(
      journal,
      input.caller,
      'resume conversations that it did not start, except one: resume --conversation',
    );
  const { env, umask, dryRun, only, resume, tell, windowMs, delayMs, limit } = input;
  const named = resume.includes('all') ? [] : resume;
  return boot.run({
    why: 'asked',
    caller: { env, umask },
    dryRun,
    // A conversation that is named may have any age.
    windowMs: windowMs ?? (named.length > 0 ? Number.POSITIVE_INFINITY : config.boot.windowMs),
    // A caller that names conversations is present and waits.
    delayMs: delayMs ?? (resume.length > 0 ? 0 : config.boot.delayMs),
    only,
    limit: limit ?? config.boot.limit,
    resume,
    tell,
  });
}
