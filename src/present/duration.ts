const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** A duration for people, in at most two units: `1h 30m`, `42s`, `0.3s`. */
export function durationText(ms: number): string {
  if (ms < 9_950) return `${(Math.max(ms, 0) / 1000).toFixed(1)}s`;
  let rest = Math.round(ms / 1000);
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0 && parts.length < 2) parts.push(`${count}${unit}`);
  }
  return parts.join(' ');
}
