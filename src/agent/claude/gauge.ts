import type { Gauged } from '../../core/event-body.ts';
import type { LimitWindow } from '../../core/usage.ts';
import { asFields, asNumber, asText, type Fields, readObject } from '../seam/json.ts';

/** What a line of the output of a run says about the limits of its account; null: nothing. */
export function gaugeOf(line: string, run: number): Gauged | null {
  // Most lines are not about limits, and are not even parsed.
  if (!line.includes('"rate_limit_event"')) return null;
  const fields = readObject(line);
  const info = fields?.type === 'rate_limit_event' ? asFields(fields.rate_limit_info) : null;
  const windows = info === null ? [] : windowsOf(info);
  return windows.length === 0 ? null : { type: 'usage.gauged', run, windows };
}

/** Newer versions report each limit; older ones only the one that decides. */
function windowsOf(info: Fields): LimitWindow[] {
  const each = Object.entries(asFields(info.unifiedWindows) ?? {}).flatMap(([name, value]) => {
    const window = asFields(value);
    return window === null ? [] : [windowOf(name, window)];
  });
  const name = asText(info.rateLimitType);
  return name === null || each.some((one) => one.name === name) ? each : [...each, windowOf(name, info)];
}

function windowOf(name: string, { utilization, status, resetsAt }: Fields): LimitWindow {
  const used = asNumber(utilization) ?? (status === 'rejected' ? 1 : null);
  const resets = asNumber(resetsAt);
  return {
    name,
    usedPercent: used === null ? null : Math.round(used * 1_000) / 10,
    resetsAtMs: resets === null ? null : resets * 1_000,
  };
}
