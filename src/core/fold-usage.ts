import type { Counted, Gauged, UsageBody } from './event-body.ts';
import { changed } from './parts.ts';
import type { Session } from './session.ts';

/** Applies an event about usage. */
export function applyUsage(s: Session, body: UsageBody, atMs: number): Session {
  return body.type === 'usage.gauged' ? gauged(s, body, atMs) : counted(s, body, atMs);
}

/** Usage as last counted. A count that belongs to no turn leaves the last turn unchanged. */
function counted(s: Session, { prompt, usage, upTo = null }: Counted, atMs: number): Session {
  return changed(s, 'accounting', {
    usage,
    counted: prompt ?? s.accounting.counted,
    countedUpTo: { message: upTo, atMs },
  });
}

/** A report need not have all limits: the others stay as they were. */
function gauged(s: Session, { windows, run }: Gauged, atMs: number): Session {
  const names = new Set(windows.map(({ name }) => name));
  const others = (s.accounting.gauges ?? []).filter(({ name }) => !names.has(name));
  return changed(s, 'accounting', { gauges: [...others, ...windows.map((each) => ({ ...each, atMs, run }))] });
}

/** Does the report say more than the last one of this run? */
export function isGaugeNews({ accounting: { gauges = [] } }: Session, { windows, run }: Gauged): boolean {
  return windows.some((window) => {
    const known = gauges.find(({ name }) => name === window.name);
    return known?.run !== run || known.usedPercent !== window.usedPercent || known.resetsAtMs !== window.resetsAtMs;
  });
}
