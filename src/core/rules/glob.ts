/** True when the text is what the pattern says; `*` stands for any letters, `?` for one where that is asked for. */
export function fitsText(pattern: string, text: string, hasOne = false): boolean {
  return fitsItems([...pattern], [...text], '*', (sign, letter) => sign === letter || (hasOne && sign === '?'));
}

/** True when the path is what the pattern says, name by name; `**` stands for any number of folders. */
export function fitsPath(pattern: readonly string[], path: readonly string[]): boolean {
  return fitsItems(pattern, path, '**', (glob, name) => fitsText(glob, name, true));
}

/** Goes back to the last star only: an expression would try them all, and a long name could hold up the gate. */
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
