import type { VNode } from 'preact';

/** Lines of each icon on a grid of 16. */
const PATHS = {
  fleet: ['M2.5 4h11', 'M2.5 8h11', 'M2.5 12h7'],
  inbox: ['M2.5 9.5 4.2 3.6h7.6l1.7 5.9v3H2.5z', 'M2.5 9.5h3.2l.8 1.5h3l.8-1.5h3.2'],
  search: ['M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z', 'm10.4 10.4 3.1 3.1'],
  keys: ['M2 4.5h12v7H2z', 'M4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01', 'M5 9.5h6'],
  sun: [
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
    'M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  ],
  moon: ['M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z'],
  system: ['M2 3h12v8H2z', 'M5.5 13.5h5', 'M8 11v2.5'],
  back: ['M13 8H3.5', 'm7.5 4-4 4 4 4'],
  more: ['M3 7.5h.6v.6H3z', 'M7.7 7.5h.6v.6h-.6z', 'M12.4 7.5h.6v.6h-.6z'],
  attach: ['m13 7.2-5.4 5.4a3.2 3.2 0 0 1-4.5-4.5l5.6-5.6a2.1 2.1 0 0 1 3 3l-5.4 5.4a1 1 0 0 1-1.5-1.5l5-5'],
  send: ['M8 13V3.5', 'm4 7.2 4-3.9 4 3.9'],
  stop: ['M4 4h8v8H4z'],
  pause: ['M5.5 3.5v9', 'M10.5 3.5v9'],
  play: ['M5 3.2 12.5 8 5 12.8z'],
  chevron: ['m6 4 4 4-4 4'],
  copy: ['M5.5 5.5h8v8h-8z', 'M10.5 5.5v-3h-8v8h3'],
  close: ['m4 4 8 8', 'm12 4-8 8'],
  check: ['m3 8.5 3.2 3L13 4.7'],
  down: ['M8 3v9.5', 'm4 8.7 4 3.8 4-3.8'],
  read: ['M4 1.8h5.2L12 4.6v9.6H4z', 'M9 2v3h3', 'M6 8h4M6 10.5h4'],
  write: ['m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z', 'm9.3 4.5 2.2 2.2'],
  shell: ['m3 4.5 3.5 3.3L3 11', 'M8 11.5h5'],
  fetch: [
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
    'M2 8h12',
    'M8 2c2 1.8 2.6 3.7 2.6 6S10 12.2 8 14c-2-1.8-2.6-3.7-2.6-6S6 3.8 8 2z',
  ],
  mcp: ['M5.5 2v3.5M10.5 2v3.5', 'M3.5 5.5h9v2.5a4.5 4.5 0 0 1-9 0z', 'M8 12.5V14.5'],
  agent: ['M3 6h10v7H3z', 'M8 3v3', 'M6 9v1.2M10 9v1.2'],
  other: ['M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z', 'M8 2v2M8 12v2M2 8h2M12 8h2'],
  screen: ['M2 3h12v10H2z', 'm4.5 6 2 1.8-2 1.8', 'M8.5 10h3'],
  events: ['M4.5 2v12', 'M4.5 4.5h7', 'M4.5 8H9', 'M4.5 11.5h8.5'],
  changes: ['M3 2h10v12H3z', 'M8 4.5v4M6 6.5h4', 'M6 11.3h4'],
  print: ['M4.5 6V2h7v4', 'M4.5 11.5h-2V6h11v5.5h-2', 'M4.5 9.5h7V14h-7z'],
  again: ['M13 8a5 5 0 1 1-1.5-3.6', 'M13 2.5v3h-3'],
  talk: ['M2.5 3h11v7.5H7L4 13v-2.5H2.5z'],
  plus: ['M8 3v10', 'M3 8h10'],
  usage: ['M3 13V9', 'M6.5 13V5', 'M10 13V7.5', 'M13.5 13V3'],
  boot: ['M8 2v5', 'M4.8 4.2a5.2 5.2 0 1 0 6.4 0'],
  tree: ['M4 3v8.5h4', 'M4 6.5h4', 'M8 5h5v3H8z', 'M8 10h5v3H8z'],
  settings: [
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6',
    'M10.3 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
    'M5.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  ],
  owner: ['M4 3v6h8', 'm9.5 6.5 2.5 2.5-2.5 2.5'],
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words; who cannot see it loses nothing. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {PATHS[name].map((d) => (
        <path d={d} />
      ))}
    </svg>
  );
}
