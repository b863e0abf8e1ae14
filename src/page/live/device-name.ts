const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** What people call this browser, as it describes itself: `Firefox on Android`. */
export function deviceName(agent: string): string {
  const first = (table: typeof BROWSERS): string | undefined => table.find(([words]) => words.test(agent))?.[1];
  return `${first(BROWSERS) ?? 'Browser'} on ${first(SYSTEMS) ?? 'a computer'}`;
}
