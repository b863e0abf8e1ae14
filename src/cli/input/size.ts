import { wrongCall } from '../base/parse.ts';

/** Columns and rows of a word such as 120x30. */
export function parseSize(word: string): { columns: number; rows: number } {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(word);
  if (match === null) throw wrongCall(`--size: "${word}" is not a valid size; write it like 120x30`);
  return { columns: Number(match[1]), rows: Number(match[2]) };
}
