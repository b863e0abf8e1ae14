import type { Run } from '../live/types.ts';

/** The colours of a theme: the sixteen named ones of a terminal, and what it is drawn with otherwise. */
export interface Palette {
  readonly text: string;
  readonly surface: string;
  readonly named: readonly string[];
}

/** `text` and `surface` are those of tokens.css. */
export const PALETTES: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    text: '#1a1d21',
    surface: '#ffffff',
    named: [
      '#1a1d21',
      '#b9241a',
      '#126b39',
      '#8f5200',
      '#0a5fbd',
      '#6440bf',
      '#0b6570',
      '#565e69',
      '#666e79',
      '#a11d14',
      '#0f5c31',
      '#7a4600',
      '#084f9e',
      '#5535a8',
      '#09565f',
      '#1a1d21',
    ],
  },
  dark: {
    text: '#e8eaed',
    surface: '#16191c',
    named: [
      '#3a4047',
      '#ff8078',
      '#66d19e',
      '#ffb454',
      '#62b2ff',
      '#bba4ff',
      '#63cbd6',
      '#c9ced5',
      '#868e99',
      '#ff9c95',
      '#85e0b3',
      '#ffc880',
      '#8cc7ff',
      '#cfbfff',
      '#8adde6',
      '#f5f6f7',
    ],
  },
};

type Rgb = readonly [number, number, number];

/** What a run is drawn with; missing: as everything around it. */
export interface Drawn {
  readonly color?: string;
  readonly background?: string;
}

const CONTRAST_MIN = 4.5;
const DIM = 0.35;
const known = new Map<string, Drawn>();

/** The colours of a run, for both themes at once: text can be read on whatever is behind it. */
export function drawnWith(run: Run): Drawn {
  const { fg, bg, dim, inverse, invisible } = run;
  const key = [fg, bg, dim, inverse, invisible].join();
  const before = known.get(key);
  if (before !== undefined) return before;
  const [light, dark] = [inTheme(run, PALETTES.light), inTheme(run, PALETTES.dark)];
  const isFilled = bg !== undefined || inverse === true;
  const isColoured = fg !== undefined || isFilled || dim === true || invisible === true;
  const drawn = {
    ...(isColoured && { color: `light-dark(${hex(light.fg)}, ${hex(dark.fg)})` }),
    ...(isFilled && { background: `light-dark(${hex(light.bg)}, ${hex(dark.bg)})` }),
  };
  known.set(key, drawn);
  return drawn;
}

/** The colours of a run in one theme. */
export function inTheme({ fg, bg, dim, inverse, invisible }: Run, palette: Palette): { fg: Rgb; bg: Rgb } {
  const ink = colourIn(fg ?? palette.text, palette);
  const paper = colourIn(bg ?? palette.surface, palette);
  const [front, back] = inverse === true ? [paper, ink] : [ink, paper];
  if (invisible === true) return { fg: back, bg: back };
  return { fg: legible(dim === true ? mixed(front, back, DIM) : front, back), bg: back };
}

/** A colour that can be read on another: itself, or as near to it as possible. */
function legible(front: Rgb, back: Rgb): Rgb {
  if (contrast(front, back) >= CONTRAST_MIN) return front;
  const end: Rgb = contrast([255, 255, 255], back) > contrast([0, 0, 0], back) ? [255, 255, 255] : [0, 0, 0];
  for (let part = 0.1; part < 1; part += 0.1) {
    const nearer = mixed(front, end, part);
    if (contrast(nearer, back) >= CONTRAST_MIN) return nearer;
  }
  return end;
}

/** How well one colour can be told from another: 1 to 21, as WCAG counts it. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number): number => (value <= 10 ? value / 3_294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function mixed(from: Rgb, to: Rgb, part: number): Rgb {
  const at = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * part);
  return [at(0), at(1), at(2)];
}

/** A colour of the palette by its number, or of its own. The first sixteen are those of the theme. */
function colourIn(colour: number | string, { named, text }: Palette): Rgb {
  if (typeof colour === 'string') return parsed(colour, text);
  if (colour < 16) return parsed(named[colour] ?? text, text);
  const grey = 8 + (colour - 232) * 10;
  if (colour >= 232) return [grey, grey, grey];
  const place = colour - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return [level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6)];
}

function parsed(word: string, otherwise: string): Rgb {
  const digits = /^#[0-9a-f]{6}$/i.test(word) ? word : otherwise;
  const at = (from: number): number => Number.parseInt(digits.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

function hex(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
