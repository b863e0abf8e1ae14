// Draws boxes and arrows as SVG.

/** A box of a picture: a heading, and lines below it. Positions and sizes are in cells of a grid. */
export interface Box {
  readonly at: readonly [x: number, y: number, width: number, height: number];
  readonly name: string;
  readonly lines?: readonly string[];
  /** A frame around other boxes, a process or data on disk, or what a function makes of it. */
  readonly is: 'frame' | 'process' | 'disk' | 'step';
}

/** An arrow through these points, with a text beside its middle. */
export interface Arrow {
  readonly through: readonly (readonly [x: number, y: number])[];
  readonly text?: string;
}

/** A picture. */
export interface Picture {
  readonly title: string;
  readonly size: readonly [width: number, height: number];
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const CELL = { width: 20, height: 20 };
const LINE = 17;

/** The picture as SVG. */
export function svgOf({ title, size: [width, height], boxes, arrows }: Picture): string {
  const [w, h] = [width * CELL.width, height * CELL.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" role="img" aria-label="${escaped(title)}">`,
    '<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.name{font-weight:600}.note{font-size:12px;fill:#57606a}</style>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
    '<path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>',
    `<rect width="${w}" height="${h}" rx="12" fill="#ffffff"/>`,
    ...boxes.map(boxSvg),
    ...arrows.map(arrowSvg),
    '</svg>\n',
  ].join('\n');
}

const LOOKS: Readonly<Record<Box['is'], string>> = {
  frame: 'fill="#f6f8fa" stroke="#d0d7de"',
  process: 'fill="#ddf4ff" stroke="#54aeff"',
  disk: 'fill="#fff8c5" stroke="#d4a72c"',
  step: 'fill="#dafbe1" stroke="#4ac26b"',
};

function boxSvg({ at, name, lines = [], is }: Box): string {
  const [x = 0, y = 0, width = 0, height = 0] = at.map((n) => n * CELL.width);
  const first = is === 'frame' ? y + 22 : y + (height - LINE * lines.length) / 2 + 5;
  const [left, anchor] = is === 'frame' ? [x + 12, 'start'] : [x + width / 2, 'middle'];
  const text = (line: string, i: number): string =>
    `<text x="${left}" y="${Math.round(first + i * LINE)}" text-anchor="${anchor}" class="${i === 0 ? 'name' : 'note'}">${escaped(line)}</text>`;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" ${LOOKS[is]}/>`,
    ...[name, ...lines].map(text),
  ].join('');
}

function arrowSvg({ through, text }: Arrow): string {
  const points = through.map(([x, y]) => [x * CELL.width, y * CELL.height] as const);
  const line = `<polyline points="${points.map((each) => each.join(',')).join(' ')}" fill="none" stroke="#57606a" marker-end="url(#tip)"/>`;
  const [a, b] = [points[0], points[1]];
  if (text === undefined || a === undefined || b === undefined) return line;
  const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const beside = a[0] === b[0] ? `x="${x + 6}" y="${y + 4}"` : `x="${x}" y="${y - 6}" text-anchor="middle"`;
  return `${line}<text ${beside} class="note">${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
