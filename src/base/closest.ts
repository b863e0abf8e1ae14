/** The word nearest to a mistyped one; null when none is near enough. */
export function closest(word: string, words: readonly string[]): string | null {
  const ranked = words.map((each) => ({ each, steps: distance(word, each) })).sort((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= Math.max(1, Math.floor(word.length / 3)) ? best.each : null;
}

/** A question about the nearest word, as the end of a message; empty when none is near enough. */
export function didYouMean(word: string, words: readonly string[]): string {
  const near = closest(word, words);
  return near === null ? '' : `; did you mean "${near}"?`;
}

// Changes from one word to the other: a letter more, less or different, or two neighbours swapped.
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [at(rows[i - 1], j) + 1, at(row, j - 1) + 1, at(rows[i - 1], j - 1) + (same ? 0 : 1)];
      if (swapped) steps.push(at(rows[i - 2], j - 2) + 1);
      row.push(Math.min(...steps));
    }
    rows.push(row);
  }
  return at(rows[a.length], b.length);
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? Number.POSITIVE_INFINITY;
}
