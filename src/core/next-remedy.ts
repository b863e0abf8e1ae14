import { actorText } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import type { Remedy } from './remediation.ts';
import type { Prompt, PromptId, Session, Trouble } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, faulted, PERSON_LOOK_MS, wait } from './steps.ts';

/** Remedies for a conversation that can no longer be sent. */
const REMEDIES: Partial<Record<Trouble['kind'], Remedy>> = { 'too-long': 'compact', poisoned: 'fork' };

/** A remedy may wait for what any prompt waits for. Anything else ends it. */
const PASSING: readonly Trouble['kind'][] = ['limited', 'overloaded', 'login', 'billing'];

/** A conversation that cannot be sent is compacted or copied, once between two answers. Null: already tried. */
export function nextRemedy(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step | null {
  if (prompt.trouble === null) return null;
  const { trouble, text: why } = prompt.trouble;
  const remedy = REMEDIES[trouble.kind];
  if (remedy === undefined || s.recovery.remediation.tried.includes(remedy)) return null;
  const begun = { type: 'remedy.begun', remedy, prompt: prompt.id, why } as const;
  if (remedy === 'compact') {
    if (snapshot.compact === null) return null;
    if (snapshot.compact.by === 'next-turn') return append(begun);
    const command = { prompt: `${prompt.id}~${s.seq}` as PromptId, text: snapshot.compact.text };
    return append({ ...begun, command });
  }
  if (!snapshot.fork) return null;
  if (s.spec.drive === 'turns') return append(begun);
  // Its process has to end for the copy, but not while a person uses it.
  if (s.attendance.control !== null) return wait(nowMs + PERSON_LOOK_MS);
  const step = faulted(s, { kind: 'cut', why: 'its conversation continues as a copy' }, nowMs);
  return step.do === 'append' ? append(begun, ...step.events) : step;
}

/** A remedy that failed permanently has not helped. */
export function isUseless({ remedy, trouble }: Prompt): boolean {
  return remedy && trouble !== null && !PASSING.includes(trouble.trouble.kind);
}

/** The end of a remedy is not the end of a requested turn. */
export function ofRemedy(s: Session, body: EventBody): EventBody {
  if (!('prompt' in body) || body.prompt === null || !s.prompts.some((p) => p.remedy && p.id === body.prompt))
    return body;
  const ended = { type: 'remedy.ended', remedy: 'compact', prompt: body.prompt } as const;
  switch (body.type) {
    case 'prompt.answered':
      return { ...ended, ok: true, text: body.reply };
    case 'prompt.failed':
      return { ...ended, ok: false, text: body.error };
    case 'prompt.interrupted':
      return { ...ended, ok: false, text: `interrupted by ${actorText(body.by)}` };
    case 'prompt.unsure':
      return { ...ended, ok: false, text: 'it is not known whether the agent received it' };
    default:
      return body;
  }
}
