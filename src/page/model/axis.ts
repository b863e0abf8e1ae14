import type { Placed } from './groups.ts';

/** Why nothing happened for long. */
export type GapWhy = 'limited' | 'held' | 'away' | 'idle';

/** A part of the axis. A gap is shortened. */
interface Part {
  readonly fromMs: number;
  readonly toMs: number;
  /** Where it is on the axis, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly gap: GapWhy | null;
}

/** A shortened pause. */
export type Gap = Part & { readonly gap: GapWhy };

/** Shorter pauses are shown as long as they are. */
const GAP_MS_MIN = 30_000;
/** How much of the axis one gap takes, and all of them. */
const GAP_SHARE = 0.04;
const GAPS_SHARE_MAX = 0.3;

/** The time axis of what happened: pauses in which nothing ran are short, however long they were. */
export class Axis {
  readonly parts: readonly Part[];

  constructor(events: readonly Placed[], isCommand = false) {
    this.parts = spread(partsOf(events, isCommand));
  }

  get gaps(): readonly Gap[] {
    return this.parts.filter((part): part is Gap => part.gap !== null);
  }

  /** Where a time is on the axis, from 0 to 1. */
  at(ms: number): number {
    let [low, high] = [0, this.parts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.parts[middle]?.toMs ?? 0) < ms) low = middle + 1;
      else high = middle;
    }
    const part = this.parts[low];
    if (part === undefined) return 0;
    const share = part.toMs === part.fromMs ? 0 : (ms - part.fromMs) / (part.toMs - part.fromMs);
    return part.from + Math.min(Math.max(share, 0), 1) * (part.to - part.from);
  }

  /** The time at a place of the axis. */
  timeAt(place: number): number {
    const part = this.parts.find(({ to }) => to >= place) ?? this.parts.at(-1);
    if (part === undefined) return 0;
    const share = part.to === part.from ? 0 : (place - part.from) / (part.to - part.from);
    return part.fromMs + share * (part.toMs - part.fromMs);
  }
}

type Stretch = Pick<Part, 'fromMs' | 'toMs' | 'gap'>;

/** What is between two events that follow each other; stretches of work are joined. */
function partsOf(events: readonly Placed[], isCommand: boolean): Stretch[] {
  const parts: { fromMs: number; toMs: number; gap: GapWhy | null }[] = [];
  const pause = new Pause();
  for (const [i, each] of events.entries()) {
    const next = events[i + 1];
    pause.hear(each);
    if (next === undefined) break;
    const [fromMs, toMs] = [each.happening.atMs, Math.max(next.happening.atMs, each.happening.atMs)];
    const isBusy = isCommand ? each.run?.toMs === null || next.run !== null : isInside(each, fromMs);
    const gap = toMs - fromMs < GAP_MS_MIN ? null : isReboot(next) ? 'away' : isBusy ? null : pause.why;
    const last = parts.at(-1);
    if (last !== undefined && last.gap === null && gap === null) last.toMs = toMs;
    else parts.push({ fromMs, toMs, gap });
  }
  const [first] = events;
  if (parts.length === 0 && first !== undefined)
    parts.push({ fromMs: first.happening.atMs, toMs: first.happening.atMs, gap: null });
  return parts;
}

/** Does a turn go on after this event? */
function isInside({ turn }: Placed, atMs: number): boolean {
  return turn !== null && (turn.toMs === null || turn.toMs > atMs);
}

function isReboot({ happening: { event } }: Placed): boolean {
  const fault = event.body.fault as { kind?: unknown; reboot?: unknown } | undefined;
  return event.event === 'run.faulted' && fault?.kind === 'lost' && fault.reboot === true;
}

/** Why nothing happens, as far as the events say. */
class Pause {
  why: GapWhy = 'idle';

  hear({ happening: { event } }: Placed): void {
    if (event.event === 'session.limited') this.why = 'limited';
    else if (event.event === 'session.held') this.why = 'held';
    else if (/^(?:session\.(?:unlimited|released|resumed|switched)|prompt\.sending)$/.test(event.event))
      this.why = 'idle';
  }
}

function spread(stretches: readonly Stretch[]): Part[] {
  const gaps = stretches.filter(({ gap }) => gap !== null).length;
  const busyMs = stretches.reduce((sum, { fromMs, toMs, gap }) => sum + (gap === null ? toMs - fromMs : 0), 0);
  const each = gaps === 0 ? 0 : busyMs === 0 ? 1 / gaps : Math.min(GAP_SHARE, GAPS_SHARE_MAX / gaps);
  const rest = 1 - each * gaps;
  let place = 0;
  return stretches.map((stretch) => {
    const from = place;
    place += stretch.gap !== null ? each : busyMs === 0 ? rest : ((stretch.toMs - stretch.fromMs) / busyMs) * rest;
    return { ...stretch, from, to: Math.min(place, 1) };
  });
}
