import type { Event, EventBody } from './event.ts';
import { writtenFirst } from './fold-written.ts';
import { NO_UPDATES } from './ownership.ts';
import { NO_REMEDIATION } from './remediation.ts';
import type { Session } from './session.ts';

/** A new session. */
export function created(event: Event, body: Extract<EventBody, { type: 'session.created' }>): Session {
  const { spec } = body;
  return {
    id: event.session,
    seq: event.seq,
    created: { wallMs: event.atMs, steadyMs: event.steadyMs },
    spec,
    phase: spec.drive === 'turns' ? { at: 'idle', run: 0, sinceMs: event.steadyMs } : { at: 'queued' },
    run: null,
    background: spec.background,
    removed: false,
    restored: false,
    keepOpen: spec.keepOpen,
    conversation: { id: null, transcript: null, written: writtenFirst(spec) },
    attendance: { control: null, visitWanted: false, suspendedPhase: null },
    turn: {
      other: null,
      interrupting: null,
      turnIds: [],
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
      manualResume: null,
      counted: null,
      countedUpTo: null,
      parkedMs: 0,
    },
    recovery: { resumedAtMs: [], resumes: 0, remediation: NO_REMEDIATION, faults: 0 },
    followed: (spec.conversation?.after ?? []).length === 0,
    prompts: [],
    gate: { approvals: [], answers: [], deferred: null, rules: [] },
    updates: NO_UPDATES,
    owner: spec.owner ?? null,
  };
}
