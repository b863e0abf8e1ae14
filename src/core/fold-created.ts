import type { Event, EventBody } from './event.ts';
import { writtenFirst } from './fold-written.ts';
import { UNMENDED } from './mend.ts';
import type { Session } from './session.ts';
import { UNWAKED } from './wake.ts';

/** A session as it begins. */
export function created(event: Event, body: Extract<EventBody, { type: 'session.created' }>): Session {
  const { spec } = body;
  return {
    id: event.session,
    seq: event.seq,
    createdAtMs: event.atMs,
    createdSteadyMs: event.steadyMs,
    spec,
    phase: spec.drive === 'turns' ? { at: 'idle', run: 0, sinceMs: event.steadyMs } : { at: 'queued' },
    run: null,
    background: spec.background,
    removed: false,
    restored: false,
    keepOpen: spec.keepOpen,
    conversation: { id: null, transcript: null, written: writtenFirst(spec) },
    attendance: { control: null, visit: false, aside: null },
    turn: {
      other: null,
      interrupting: null,
      marks: [],
      calls: [],
      subagents: [],
      noted: null,
      last: null,
      stale: null,
      progressAtMs: event.steadyMs,
      answeredAtMs: null,
    },
    accounting: {
      usage: { turns: 0, tokens: 0, usd: null },
      word: null,
      counted: null,
      countedUpTo: null,
      parkedMs: 0,
    },
    recovery: { resumedAtMs: [], resumes: 0, mend: UNMENDED, faults: 0 },
    followed: (spec.conversation?.after ?? []).length === 0,
    prompts: [],
    gate: { approvals: [], answers: [], deferred: null, rules: [] },
    ...UNWAKED,
    owner: spec.owner ?? null,
  };
}
