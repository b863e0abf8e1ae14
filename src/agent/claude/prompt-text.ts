import { withoutMentions } from '../seam/images.ts';
import { shortKey } from '../seam/text-key.ts';

/** True when the texts are the same, apart from the changes that the input box or standard input make to a text. */
export function isSameText(sent: string, recorded: string): boolean {
  return bare(sent) === bare(recorded) || bare(withoutSequences(sent)) === bare(withoutSequences(recorded));
}

/** Keys of a text for lookups: `isSameText` is true for two texts that share one of them. */
export function keysOf(text: string): readonly [string, string] {
  const plain = bare(text);
  const stripped = text.includes('\x1b') ? bare(withoutSequences(text)) : plain;
  return [`plain ${shortKey(plain)}`, `stripped ${shortKey(stripped)}`];
}

/** True for a placeholder such as `[Pasted text #2 +7 lines]`. The number counts line feeds; one long line has none. */
export function isPlaceholder(draft: string, text: string): boolean {
  const shown = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (shown === null) return false;
  const feeds = bare(text).split('\n').length - 1;
  return shown[1] === undefined ? feeds <= 2 : Number(shown[1]) === feeds;
}

/** A text without what input changes: no control or invisible characters, blanks for tabs, no trailing space. */
export function bare(text: string): string {
  return withoutMentions(text)
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\t', '    ')
    .replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '')
    .trim();
}

/** Claude Code removes whole escape sequences; our paste removes only the character that begins one. */
function withoutSequences(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]/g, '');
}
