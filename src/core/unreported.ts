import type { EventBody } from './event.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

// A process that is killed may not have reported its last calls any more. Its record has them.

type Starting = Extract<EventBody, { type: 'run.starting' }>;

/** How many of them a continuation names. */
const CALLS_MAX = 20;

/** The calls without a result in the record, if none was reported. Behind a gate every call was asked about before. */
export function unreported(s: Session, { transcript }: Snapshot): Pick<Starting, 'open'> {
  const { open = [], turn } = transcript;
  const isGated = s.spec.conversation?.gate !== undefined;
  if (isGated || turn !== 'open' || open.length === 0) return {};
  const isMissing = s.prompts.some((p) => p.state === 'accepted' && p.run === runOf(s) && isUnnamed(p));
  return isMissing ? { open: open.slice(-CALLS_MAX) } : {};
}

/** The prompts, with the calls that only the record has. */
export function withUnreported(s: Session, { run, open }: Starting): readonly Prompt[] {
  if (open === undefined) return s.prompts;
  // In turns the prompt is sent again together with the start.
  const isContinued = (p: Prompt): boolean =>
    p.state === 'accepted' ? p.run === runOf(s) : p.state === 'sending' && p.run === run && p.turn > 1;
  return s.prompts.map((p) => (isContinued(p) && isUnnamed(p) ? { ...p, unknown: open } : p));
}

/** The calls of the run that broke off; with those of runs before it, if the conversation may know nothing of them. */
export function withRunsBefore({ unwritten, ...before }: Prompt, last: Named): Named {
  if (unwritten !== true) return last;
  return {
    unknown: [...before.unknown, ...last.unknown].slice(-CALLS_MAX),
    done: [...(before.done ?? []), ...last.done].slice(-CALLS_MAX),
    earlier: [...(before.earlier ?? []), ...last.earlier].slice(-CALLS_MAX),
  };
}

type Named = Required<Pick<Prompt, 'unknown' | 'done' | 'earlier'>>;

function isUnnamed({ unknown, done = [] }: Prompt): boolean {
  return unknown.length === 0 && done.length === 0;
}
