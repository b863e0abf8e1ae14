import type { Event, EventBody } from '../../core/event.ts';
import { isOf } from '../../core/event-body.ts';
import type { ScheduleEvent } from '../../core/schedule/schedule.ts';
import type { Spent } from '../../core/usage.ts';
import type { Counters } from './counters.ts';
import type { Tracked } from './tracked.ts';

type Prompt = Extract<EventBody, { type: `prompt.${string}` }>;
type Approval = Extract<EventBody, { type: `approval.${string}` }>;
type Counted = Extract<EventBody, { type: 'usage.counted' }>;

/**
 * Counts one event of a session. `tracked`: what was known before it. No label ever has an id, a name, a path or a
 * text.
 */
export function countEvent(counters: Counters, tracked: Tracked, event: Event): void {
  const { body } = event;
  if (isOf(body, 'session')) return countSession(counters, tracked, body);
  if (isOf(body, 'run')) return countRun(counters, tracked, body);
  if (isOf(body, 'prompt')) return countPrompt(counters, tracked, { ...event, body });
  if (isOf(body, 'approval')) return countApproval(counters, tracked, { ...event, body });
  const { agent } = tracked;
  switch (body.type) {
    case 'tool.called':
      return counters.add('tool_calls', { agent });
    case 'tool.ended':
      return counters.add('tool_results', { agent, outcome: body.error === null ? 'ok' : 'error' });
    case 'tool.denied':
      return counters.add('tool_results', { agent, outcome: 'denied' });
    case 'remedy.ended':
      return counters.add('remedies', { agent, remedy: body.remedy, result: body.ok ? 'ok' : 'failed' });
    case 'remedy.begun':
      // A copy has no end of its own: it is the conversation from then on.
      return body.remedy === 'fork' ? counters.add('remedies', { agent, remedy: 'fork', result: 'ok' }) : undefined;
    case 'usage.counted':
      return countUsage(counters, tracked, body);
  }
}

/** Counts one event of a schedule. */
export function countSchedule(counters: Counters, { body }: ScheduleEvent): void {
  if (body.type === 'schedule.started') counters.add('schedules_started', {});
  if (body.type === 'schedule.failed') counters.add('schedules_failed', {});
  if (body.type === 'schedule.skipped') counters.add('schedules_skipped', {});
  if (body.type === 'schedule.missed') counters.add('schedules_missed', {}, body.count);
}

function countSession(
  counters: Counters,
  { agent }: Tracked,
  body: Extract<EventBody, { type: `session.${string}` }>,
): void {
  switch (body.type) {
    case 'session.created':
      return counters.add('sessions_started', { agent: body.spec.agent, drive: body.spec.drive });
    case 'session.ended':
      return counters.add('sessions_ended', { agent, outcome: body.outcome.kind });
    case 'session.held':
      return counters.add('sessions_held', { agent });
    case 'session.limited':
      return counters.add('sessions_limited', { agent });
    case 'session.switched':
      return counters.add('sessions_switched', { agent: body.from, to: body.to });
  }
}

function countRun(
  counters: Counters,
  { agent, fault }: Tracked,
  body: Extract<EventBody, { type: `run.${string}` }>,
): void {
  switch (body.type) {
    case 'run.starting':
      if (fault !== undefined) counters.add('resumes', { agent, fault });
      return counters.add('runs_started', { agent });
    case 'run.ended':
      return counters.add('runs_ended', { agent, exit: exitWord(body.exit) });
    case 'run.faulted':
      return counters.add('run_faults', { agent, fault: body.fault.kind });
  }
}

function exitWord(exit: { readonly status: number } | null): string {
  if (exit === null) return 'unknown';
  return exit.status === 0 ? 'zero' : 'other';
}

function countPrompt(counters: Counters, tracked: Tracked, { body, steadyMs }: Event & { body: Prompt }): void {
  const { agent, prompts = {} } = tracked;
  const times = prompts[body.prompt];
  switch (body.type) {
    case 'prompt.queued':
      return counters.add('prompts_queued', { agent });
    case 'prompt.sending':
      if (times !== undefined && times.sentMs === undefined)
        counters.observe('prompt_queue_seconds', { agent }, steadyMs - times.queuedMs);
      return;
    case 'prompt.accepted':
      if (times?.acceptedMs !== undefined) return;
      counters.add('prompts_accepted', { agent });
      if (times?.sentMs !== undefined) counters.observe('prompt_accept_seconds', { agent }, steadyMs - times.sentMs);
      return;
    case 'prompt.unsure':
      return counters.add('prompts_unsure', { agent });
    case 'prompt.troubled':
      return counters.add('prompt_troubles', { agent, trouble: body.trouble.kind });
    case 'prompt.answered':
    case 'prompt.failed':
    case 'prompt.interrupted':
    case 'prompt.dropped': {
      const outcome = body.type.slice('prompt.'.length);
      counters.add('prompts_ended', { agent, outcome });
      if (times?.acceptedMs !== undefined)
        counters.observe('turn_seconds', { agent, outcome }, steadyMs - times.acceptedMs);
    }
  }
}

function countApproval(counters: Counters, tracked: Tracked, { body, steadyMs }: Event & { body: Approval }): void {
  const { agent, approvals = {} } = tracked;
  switch (body.type) {
    case 'approval.asked':
      return counters.add('approvals_asked', { agent });
    case 'approval.decided': {
      const by = body.by.is;
      counters.add('approvals_decided', { agent, decision: body.allow ? 'allow' : 'deny', by });
      const askedMs = approvals[body.approval];
      if (askedMs !== undefined) counters.observe('approval_wait_seconds', { by }, steadyMs - askedMs);
      return;
    }
    case 'approval.refused':
      return counters.add('approvals_refused', { agent });
    case 'approval.breached':
      return counters.add('gate_breaches', { agent });
  }
}

/** The event has sums; what is new in them is the difference to the last one. */
function countUsage(counters: Counters, { agent, usage: before }: Tracked, { usage, by }: Counted): void {
  const tokens = usage.tokens - (before?.tokens ?? 0);
  const usd = usage.usd === null ? null : usage.usd - (before?.usd ?? 0);
  counters.add('usage_turns', { agent }, usage.turns - (before?.turns ?? 0));
  for (const spent of by ?? [{ model: null, tokens, usd }]) {
    const labels = { agent, model: spent.model ?? 'unknown' };
    countTokens(counters, labels, spent);
    counters.add('usage_cost_usd', labels, spent.usd ?? 0);
  }
}

/** Tokens that are not told apart have the kind `unknown`, so that all kinds add up to what was reported. */
function countTokens(counters: Counters, labels: { agent: string; model: string }, { tokens, byKind }: Spent): void {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = byKind ?? {};
  const kinds = { input, output, cache_read: cacheRead, cache_write: cacheWrite };
  const unknown = Math.max(0, tokens - input - output - cacheRead - cacheWrite);
  for (const [kind, count] of Object.entries({ ...kinds, unknown }))
    if (count > 0) counters.add('usage_tokens', { ...labels, kind }, count);
}
