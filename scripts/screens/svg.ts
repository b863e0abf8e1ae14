import { textWidth } from '../../src/base/grapheme-width.ts';
import type { Size } from './stage.ts';

/** A piece of a row in one look. */
interface Run {
  readonly text: string;
  readonly look: Look;
}

interface Look {
  readonly colour: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
}

const PLAIN: Look = { colour: null, isBold: false, isDim: false, isInverse: false };
const BACKGROUND = '#0f1113';
const FOREGROUND = '#e8eaed';
const COLOURS = ['#5c6370', '#ff8078', '#66d19e', '#ffb454', '#62b2ff', '#bba4ff', '#56d4dd', '#e8eaed'];
const [CELL, ROW, SIZE, MARGIN, BAR] = [8.4, 19, 14, 14, 30];
const FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/**
 * Rows of a terminal with escape sequences of colours as a picture. Each piece has its exact width, so that columns are
 * aligned whatever font the reader has.
 */
export function screenSvg(rows: readonly string[], { columns, rows: count, title }: Size & { title: string }): string {
  return windowSvg({ columns, rows: count, title }, rowsSvg(rows.slice(0, count)));
}

/**
 * A recording: pictures that follow each other, each for so long, and then from the beginning. A reader who wants no
 * motion sees the last one.
 */
export function recordingSvg(
  frames: readonly { readonly rows: readonly string[]; readonly ms: number }[],
  size: Size & { title: string },
): string {
  const whole = frames.reduce((sum, { ms }) => sum + ms, 0);
  const percent = (ms: number): string => `${round((100 * ms) / whole)}%`;
  let at = 0;
  const parts = frames.map(({ rows, ms }, n) => {
    const [from, to] = [percent(at), percent(at + ms)];
    at += ms;
    const shown = `@keyframes f${n} { 0%, ${from} { opacity: 0 } ${from}, ${to} { opacity: 1 } ${to}, 100% { opacity: 0 } }`;
    const rule = `.f${n} { animation: f${n} ${whole}ms step-end infinite }`;
    return { style: `${shown}\n${rule}`, group: [`<g class="f f${n}">`, ...rowsSvg(rows.slice(-size.rows)), '</g>'] };
  });
  const still = `@media (prefers-reduced-motion: reduce) { .f { animation: none; opacity: 0 } .f${frames.length - 1} { opacity: 1 } }`;
  const style = ['<style>', ...parts.map((part) => part.style), still, '</style>'];
  return windowSvg(size, [...style, ...parts.flatMap(({ group }) => group)]);
}

function rowsSvg(rows: readonly string[]): string[] {
  return runsOf(rows).flatMap((runs, n) => rowSvg(runs, BAR + n * ROW));
}

/** A window of a terminal with this content. */
function windowSvg({ columns, rows, title }: Size & { title: string }, content: readonly string[]): string {
  const [width, height] = [columns * CELL + 2 * MARGIN, rows * ROW + MARGIN + BAR];
  const dots = [0, 1, 2].map((n) => `<circle cx="${MARGIN + 6 + n * 18}" cy="15" r="5" fill="#3a3f46"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...dots,
    `<g font-family="${FONT}" font-size="${SIZE}" xml:space="preserve">`,
    `<text x="${round(width / 2)}" y="19" fill="#868e99" font-size="12" text-anchor="middle">${escaped(title)}</text>`,
    ...content,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function rowSvg(runs: readonly Run[], top: number): string[] {
  let column = 0;
  return runs.flatMap(({ text, look }) => {
    const [x, width] = [round(MARGIN + column * CELL), round(textWidth(text) * CELL)];
    column += textWidth(text);
    const box = look.isInverse
      ? [`<rect x="${x}" y="${top}" width="${width}" height="${ROW}" rx="2" fill="${look.colour ?? FOREGROUND}"/>`]
      : [];
    if (text.trim() === '') return box;
    const fill = look.isInverse ? BACKGROUND : (look.colour ?? FOREGROUND);
    const weight = look.isBold ? ' font-weight="bold"' : '';
    const faint = look.isDim ? ' opacity="0.62"' : '';
    const shown = text.trimEnd();
    const exact = `textLength="${round(textWidth(shown) * CELL)}" lengthAdjust="spacingAndGlyphs"`;
    return [...box, `<text x="${x}" y="${top + 14}" ${exact} fill="${fill}"${weight}${faint}>${escaped(shown)}</text>`];
  });
}

/**
 * The pieces of each row. tmux does not repeat the look at the beginning of a row: it is that of the end of the row above.
 */
function runsOf(rows: readonly string[]): Run[][] {
  let look = PLAIN;
  return rows.map((row) =>
    row.split(/\x1b\[([0-9;]*)m/).flatMap((part, i) => {
      if (i % 2 === 1) look = part.split(';').map(Number).reduce(changed, look);
      return i % 2 === 1 ? [] : piecesOf(part, look).map((text) => ({ text, look }));
    }),
  );
}

/** Blanks at the ends are pieces of their own, because viewers measure them differently. */
function piecesOf(text: string, { isInverse }: Look): string[] {
  return (isInverse ? [text] : text.split(/( {2,}|^ +| +$)/)).filter((piece) => piece !== '');
}

function changed(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 7 || code === 27) return { ...look, isInverse: code === 7 };
  if (code === 39) return { ...look, colour: null };
  const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
  return colour === undefined ? look : { ...look, colour };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
