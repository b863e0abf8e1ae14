/** True when the pattern matches the text. `*` matches any characters, and with hasOne `?` matches one. */
export function fitsText(pattern: string, text: string, hasOne = false): boolean {
  return fitsItems([...pattern], [...text], '*', (sign, letter) => sign === letter || (hasOne && sign === '?'));
}

/** True when the pattern matches the path, name by name; `**` matches any number of folders. */
export function fitsPath(pattern: readonly string[], path: readonly string[]): boolean {
  return fitsItems(pattern, path, '**', (glob, name) => fitsText(glob, name, true));
}

/**
 * Backtracks to the last star only: a regular expression would try all of them, and a long name could block the gate.
 */
function fitsItems(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  isSame: (sign: string, item: string) => boolean,
): boolean {
  let [p, i, lastStar, lastItem] = [0, 0, -1, 0];
  while (i < items.length) {
    const sign = pattern[p];
    if (sign === star) {
      [lastStar, lastItem] = [p, i];
      p += 1;
    } else if (sign !== undefined && isSame(sign, items[i] ?? '')) {
      p += 1;
      i += 1;
    } else if (lastStar !== -1) {
      lastItem += 1;
      [p, i] = [lastStar + 1, lastItem];
    } else return false;
  }
  return pattern.slice(p).every((sign) => sign === star);
}
