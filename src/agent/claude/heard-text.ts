import { shortKey } from '../seam/text-key.ts';

/** Are these the same text? On its way into the box or through standard input it is changed in these ways. */
export function isSameText(sent: string, heard: string): boolean {
  return bare(sent) === bare(heard) || bare(withoutSequences(sent)) === bare(withoutSequences(heard));
}

/** What a text is compared by: `isSameText` is true of two texts that have one of these in common. */
export function keysOf(text: string): readonly [string, string] {
  const plain = bare(text);
  const stripped = text.includes('\x1b') ? bare(withoutSequences(text)) : plain;
  return [`plain ${shortKey(plain)}`, `stripped ${shortKey(stripped)}`];
}

/** `[Pasted text #2 +7 lines]`: the number counts line feeds. One long line is shown without it. */
export function isPlaceholder(draft: string, text: string): boolean {
  const shown = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (shown === null) return false;
  const feeds = bare(text).split('\n').length - 1;
  return shown[1] === undefined ? feeds <= 2 : Number(shown[1]) === feeds;
}

/** A text without what does not get through: control and invisible characters go, tabs are blanks, the end is cut. */
export function bare(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\t', '    ')
    .replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '')
    .trim();
}

/** Claude Code takes whole escape sequences out; a paste of ours only the character that begins one. */
function withoutSequences(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]/g, '');
}
