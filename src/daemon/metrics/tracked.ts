import type { Event } from '../../core/event.ts';
import type { Usage } from '../../core/usage.ts';

/** What counting needs to know about a session from its earlier events. Stored with the counts. */
export interface Tracked {
  readonly agent: string;
  /** What it had used when that was last counted; missing: nothing. */
  readonly usage?: Usage;
  /** Why its last run broke, until the next one starts. */
  readonly fault?: string;
  /** Prompts that have not ended: when each was given, first tried and confirmed. Steady times. */
  readonly prompts?: Readonly<Record<string, PromptTimes>>;
  /** Approvals that are not decided, and when they were asked. Steady times. */
  readonly approvals?: Readonly<Record<string, number>>;
}

export interface PromptTimes {
  readonly queuedMs: number;
  readonly sentMs?: number;
  readonly acceptedMs?: number;
}

/** Its agent is not known: the events of its beginning are gone. */
const UNKNOWN: Tracked = { agent: 'unknown' };

/** What is known after one more event; null: it has ended, and need not be known any more. */
export function track(tracked: Tracked = UNKNOWN, { body, steadyMs }: Event): Tracked | null {
  switch (body.type) {
    case 'session.created':
      return { agent: body.spec.agent };
    case 'session.switched':
      return { ...tracked, agent: body.to };
    case 'session.ended':
    case 'session.removed':
      return null;
    case 'usage.counted':
      return { ...tracked, usage: body.usage };
    case 'run.faulted':
      return { ...tracked, fault: body.fault.kind };
    case 'run.starting':
      return withoutFault(tracked);
    case 'prompt.queued':
      return withPrompt(tracked, body.prompt, { queuedMs: steadyMs });
    case 'prompt.sending':
      return withTime(tracked, body.prompt, ({ sentMs = steadyMs }) => ({ sentMs }));
    case 'prompt.accepted':
      return withTime(tracked, body.prompt, ({ acceptedMs = steadyMs }) => ({ acceptedMs }));
    case 'prompt.answered':
    case 'prompt.failed':
    case 'prompt.interrupted':
    case 'prompt.dropped':
      return { ...tracked, prompts: omitted(tracked.prompts, body.prompt) };
    case 'approval.asked':
      return { ...tracked, approvals: { ...tracked.approvals, [body.approval]: steadyMs } };
    case 'approval.decided':
    case 'approval.missed':
      return { ...tracked, approvals: omitted(tracked.approvals, body.approval) };
    default:
      return tracked;
  }
}

function withTime(tracked: Tracked, prompt: string, times: (known: PromptTimes) => Partial<PromptTimes>): Tracked {
  const known = tracked.prompts?.[prompt];
  return known === undefined ? tracked : withPrompt(tracked, prompt, { ...known, ...times(known) });
}

function withPrompt(tracked: Tracked, prompt: string, times: PromptTimes): Tracked {
  return { ...tracked, prompts: { ...tracked.prompts, [prompt]: times } };
}

function withoutFault({ fault: _, ...rest }: Tracked): Tracked {
  return rest;
}

function omitted<T>(all: Readonly<Record<string, T>> = {}, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = all;
  return rest;
}
