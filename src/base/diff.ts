/** How many lines around each change are shown. */
const AROUND_LINES = 3;
/** Beyond this many pairs of lines the middle is shown as replaced: a person does not read more than that anyway. */
const PAIRS_MAX = 1_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The difference between two texts as `diff -u` shows it; empty when they are the same. */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return '';
  const lines = compare(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines).map(({ from, to }) => hunkText(lines, from, to));
  return [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}

/** The lines of a text; a text without a final newline says so. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.endsWith('\n')
    ? text.slice(0, -1).split('\n')
    : `${text}\n\\ No newline at end of file`.split(/\n(?!\\ N)/);
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  const isSame = (i: number, j: number): boolean => before[i] !== undefined && before[i] === after[j];
  let start = 0;
  while (start < before.length && isSame(start, start)) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && isSame(before.length - 1 - end, after.length - 1 - end)) end += 1;
  const kept = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(kept),
    ...middleOf(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

/** Keeps the longest common subsequence of lines. */
function middleOf(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > PAIRS_MAX) return replaced(before, after);
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i] ?? '' });
      [i, j] = [i + 1, j + 1];
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ sign: '-', text: before[i] ?? '' });
      i += 1;
    } else {
      lines.push({ sign: '+', text: after[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...replaced(before.slice(i), after.slice(j))];
}

function replaced(before: readonly string[], after: readonly string[]): Line[] {
  const signed =
    (sign: Line['sign']) =>
    (text: string): Line => ({ sign, text });
  return [...before.map(signed('-')), ...after.map(signed('+'))];
}

/** Changes that are near each other are shown together. */
function hunksOf(lines: readonly Line[]): { from: number; to: number }[] {
  const hunks: { from: number; to: number }[] = [];
  for (const [i, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = hunks.at(-1);
    const from = Math.max(0, i - AROUND_LINES);
    const to = Math.min(lines.length, i + AROUND_LINES + 1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return hunks;
}

function hunkText(lines: readonly Line[], from: number, to: number): string {
  const count = (part: readonly Line[], without: Line['sign']): number =>
    part.filter(({ sign }) => sign !== without).length;
  const [past, shown] = [lines.slice(0, from), lines.slice(from, to)];
  const range = (without: Line['sign']): string => {
    const size = count(shown, without);
    return `${count(past, without) + (size === 0 ? 0 : 1)},${size}`;
  };
  return [`@@ -${range('+')} +${range('-')} @@`, ...shown.map(({ sign, text }) => `${sign}${text}`)].join('\n');
}
