import { wallTimeAt } from '../../core/schedule/zone-time.ts';

/** A time as the clocks of a zone show it: `2026-11-20 09:00 (Europe/Berlin)`. */
export function zonedText(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, timeZone);
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = second === 0 ? '' : `:${two(second)}`;
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}${seconds} (${timeZone})`;
}
