import type { EventLine } from '../../client/browser.ts';
import { TROUBLES } from '../../present/trouble.ts';

/** An event as it is shown. */
export interface Happening {
  readonly event: EventLine;
  readonly atMs: number;
  readonly kind: EventKind;
  /** Of a call: how it ended; of an approval: the decision. */
  end: EventLine | null;
  endMs: number | null;
}

export const EVENT_KINDS = ['session', 'run', 'prompt', 'tool', 'approval', 'other'] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** How bad something is. `park`: a limit, which ends by itself; `need`: a person has to look. */
export type Trouble = 'bad' | 'need' | 'park';

/** Puts a call and its end, and an approval and its decision, into one; all others stand for themselves. */
export function happeningsOf(events: readonly EventLine[]): Happening[] {
  const open = new Map<string, Happening>();
  const all: Happening[] = [];
  for (const event of events) {
    const atMs = Date.parse(event.ts);
    const begun = open.get(endKey(event));
    if (begun !== undefined) {
      begun.end = event;
      begun.endMs = atMs;
      open.delete(endKey(event));
      // A decision is an event of its own: it says who.
      if (event.event === 'tool.ended') continue;
    }
    const happening = { event, atMs, kind: kindOf(event.event), end: null, endMs: null };
    const key = beginKey(event);
    if (key !== '') open.set(key, happening);
    all.push(happening);
  }
  return all;
}

function beginKey({ event, body: { call, approval } }: EventLine): string {
  if (event === 'tool.called' && typeof call === 'string') return `call ${call}`;
  return event === 'approval.asked' ? `approval ${approval}` : '';
}

function endKey({ event, body: { call, approval } }: EventLine): string {
  if (event === 'tool.ended' && typeof call === 'string') return `call ${call}`;
  return event === 'approval.decided' || event === 'approval.missed' ? `approval ${approval}` : 'none';
}

const KINDS: Readonly<Record<string, EventKind>> = {
  ...{ session: 'session', control: 'session', visit: 'session', owner: 'session', run: 'run', remedy: 'run' },
  ...{ prompt: 'prompt', turn: 'prompt', update: 'prompt', tool: 'tool', subagent: 'tool', approval: 'approval' },
};

function kindOf(type: string): EventKind {
  return KINDS[type.split('.')[0] ?? ''] ?? 'other';
}

/** Is something wrong with it? */
export function troubleOf({ event, end }: Happening): Trouble | null {
  const { event: type, body } = event;
  if (type === 'session.limited') return 'park';
  if (type === 'session.held' || type === 'prompt.unsure') return 'need';
  if (TROUBLES.has(type) || (type === 'remedy.ended' && body.ok === false)) return 'bad';
  if (errorOf({ event, end }) !== null) return 'bad';
  if (type === 'session.ended') return isBadEnd(body.outcome) ? 'bad' : null;
  return null;
}

/** Why a call failed; null: it did not. */
export function errorOf({ event, end }: Pick<Happening, 'event' | 'end'>): string | null {
  const error = (end ?? event).body.error;
  return event.event.startsWith('tool.') && typeof error === 'string' ? error : null;
}

function isBadEnd(outcome: unknown): boolean {
  if (typeof outcome !== 'object' || outcome === null) return false;
  const { kind, exit } = outcome as { kind?: unknown; exit?: { status?: unknown } | null };
  return kind === 'failed' || kind === 'abandoned' || (kind === 'done' && (exit?.status ?? 0) !== 0);
}

/** The run that an event is about; null: it names none. */
export function runOf({ body: { run } }: EventLine): number | null {
  return typeof run === 'number' && run > 0 ? run : null;
}

/** What happened, in a line. */
export function lineOf({ event }: Pick<Happening, 'event'>, workspace: string): string {
  if (event.text !== undefined) return event.text;
  const { tool, input, error } = event.body;
  const words = event.event.replace('.', ' ');
  if (event.event === 'tool.ended' && typeof tool === 'string') return `${tool} ${error === null ? 'ended' : 'failed'}`;
  if (typeof tool !== 'string') return words;
  const about = withoutFolder(aboutOf(input), workspace);
  return event.event === 'tool.called' ? `${tool} ${about}`.trim() : `${words}: ${tool}`;
}

/** What the input of a call is about: the first text in it. */
function aboutOf(input: unknown): string {
  if (typeof input !== 'string') return '';
  try {
    const value: unknown = JSON.parse(input);
    const fields = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    return fields.find((field) => typeof field === 'string') ?? '';
  } catch {
    // It was cut.
    return input;
  }
}

function withoutFolder(text: string, workspace: string): string {
  return workspace === '/' ? text : text.replaceAll(`${workspace}/`, '');
}
