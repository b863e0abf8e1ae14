import type { LogLine } from '../../api/logs-shape.ts';
import type { Event, EventBody } from '../../core/event.ts';
import { durationText } from '../../present/duration.ts';
import { TROUBLES } from '../../present/trouble.ts';
import { plain } from '../report/head.ts';
import { storyText } from '../report/lines.ts';
import { endText } from '../views/view.ts';

type Type = EventBody['type'];

/** What is told elsewhere, as a prompt, a text or a call, or by a later event. */
const LEFT_OUT: ReadonlySet<Type> = new Set<Type>([
  ...([
    'session.created',
    'session.closing',
    'session.backgrounded',
    'run.opened',
    'run.ended',
    'run.closing',
  ] as const),
  ...(['prompt.queued', 'prompt.answered', 'turn.started', 'turn.ended', 'tool.called', 'tool.ended'] as const),
]);

/** The line about an event that is none of a prompt, a text or a call; null: it is not told. */
export function eventLine(event: Event, turn: number, createdAtMs: number): LogLine | null {
  const { body, atMs } = event;
  if (LEFT_OUT.has(body.type)) return null;
  const base = { id: `event ${event.seq}`, atMs, turn, event: body.type };
  if (body.type === 'session.ended')
    return {
      ...base,
      is: 'end',
      text: `ended: ${endText(body.outcome, plain)}, after ${durationText(atMs - createdAtMs)}`,
    };
  const text = storyText(event);
  if (text === null) return null;
  if (body.type === 'approval.asked')
    return { ...base, is: 'question', approval: body.approval, text: `${text}\noutlast approve ${body.approval}` };
  if (body.type === 'approval.decided') return { ...base, is: 'decision', approval: body.approval, text };
  return { ...base, is: TROUBLES.has(body.type) ? 'fault' : 'event', text };
}

/** The first line of the logs. */
export function beginning({ body, atMs, seq }: Event): LogLine | null {
  if (body.type !== 'session.created') return null;
  const { agent, workspace } = body.spec;
  const model = body.spec.conversation?.model ?? null;
  const text = `${agent}${model === null ? '' : ` (${model})`} in ${workspace}`;
  return { id: `event ${seq}`, is: 'event', atMs, turn: 0, text, event: body.type };
}

/** A rule decides at once, in the event after the question: then nobody waits for an answer. */
export function isRuled(after: Event | undefined): boolean {
  return after?.body.type === 'approval.decided' && after.body.rule !== null;
}
