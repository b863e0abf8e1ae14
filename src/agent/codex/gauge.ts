import type { LimitWindow } from '../../core/usage.ts';
import { asFields, asNumber, asText, type Fields } from '../seam/json.ts';

/** The lengths of limits that have a common name, in minutes. */
const NAMES: Readonly<Record<number, string>> = { 300: 'five_hour', 10080: 'seven_day' };

/** The limits in a report of Codex: the server and the rollout spell the fields differently. */
export function windowsOf(limits: Fields | null): LimitWindow[] {
  // Some models have limits of their own. The common ones have the id of the product.
  const id = asText(limits?.limitId ?? limits?.limit_id) ?? 'codex';
  const of = id === 'codex' ? '' : `${asText(limits?.limitName ?? limits?.limit_name) ?? id} `;
  return ['primary', 'secondary'].flatMap((which) => {
    const window = asFields(limits?.[which]);
    return window === null ? [] : [{ ...windowOf(window), name: `${of}${nameOf(which, window)}` }];
  });
}

function windowOf(window: Fields): Omit<LimitWindow, 'name'> {
  const resets = asNumber(window.resetsAt ?? window.resets_at);
  return {
    usedPercent: asNumber(window.usedPercent ?? window.used_percent),
    resetsAtMs: resets === null ? null : resets * 1_000,
  };
}

function nameOf(which: string, window: Fields): string {
  const minutes = asNumber(window.windowDurationMins ?? window.window_minutes);
  return minutes === null ? which : (NAMES[minutes] ?? `${minutes}_minutes`);
}
