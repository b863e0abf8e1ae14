/** How well a query fits a text: higher is better; null: it does not. Every word must fit one of the lines. */
export function fuzzyScore(query: string, text: string): number | null {
  const lines = text.toLowerCase().split('\n');
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const scores = lines.flatMap((line) => wordScore(word, line) ?? []);
    if (scores.length === 0) return null;
    sum += Math.max(...scores);
  }
  return sum;
}

/** A word that occurs as a whole is worth most; else its letters have to occur in order and close to each other. */
function wordScore(word: string, text: string): number | null {
  const at = text.indexOf(word);
  if (at >= 0) return 1_000 + (isBoundary(text, at) ? 500 : 0) - Math.min(at, 200);
  const best = starts(word, text).map((start) => spread(word, text, start));
  const least = Math.min(...best);
  return least <= word.length * SPREAD_MAX ? 500 - least * 10 : null;
}

/** A match whose letters are further apart than this is a coincidence. */
const SPREAD_MAX = 2;
const STARTS_MAX = 50;

function starts(word: string, text: string): number[] {
  const found: number[] = [];
  const [first = ''] = word;
  for (let at = text.indexOf(first); at >= 0 && found.length < STARTS_MAX; at = text.indexOf(first, at + 1))
    found.push(at);
  return found;
}

/** Over how many characters the letters of the word are spread; infinite if they do not occur. */
function spread(word: string, text: string, start: number): number {
  let at = start - 1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return Number.POSITIVE_INFINITY;
  }
  return at - start + 1;
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}
