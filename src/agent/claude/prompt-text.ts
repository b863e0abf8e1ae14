import { withoutMentions } from '../seam/images.ts';
import { shortKey } from '../seam/text-key.ts';

/** True when the texts are the same, apart from the changes that the input box or standard input make to a text. */
export function isSameText(sent: string, recorded: string): boolean {
  const [one, other] = [comparable(sent), comparable(recorded)];
  return bare(one) === bare(other) || bare(withoutSequences(one)) === bare(withoutSequences(other));
}

/** Keys of a text for lookups: `isSameText` is true for two texts that share one of them. */
export function keysOf(text: string): readonly [string, string] {
  const own = comparable(text);
  const plain = bare(own);
  const stripped = own.includes('\x1b') ? bare(withoutSequences(own)) : plain;
  return [`plain ${shortKey(plain)}`, `stripped ${shortKey(stripped)}`];
}

/** True for a placeholder such as `[Pasted text #2 +7 lines]`. The number counts line feeds; one long line has none. */
export function isPlaceholder(draft: string, text: string): boolean {
  const shown = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (shown === null) return false;
  const feeds = bare(text).split('\n').length - 1;
  return shown[1] === undefined ? feeds <= 2 : Number(shown[1]) === feeds;
}

/** What newer versions make of a paste that the input box shows as a placeholder. Both tags have the same id. */
const PASTED = /\n{0,2}<pasted_content id="([0-9a-f]{4})">\n([\s\S]*?)\n<\/pasted_content id="\1">\n{0,2}/g;
/** Such a tag that was part of the pasted text itself. */
const ESCAPED_TAG = /<\\(?=\/?pasted_content\b)/g;
const ANY_TAG = /\n{0,2}<\\?\/?pasted_content\b[^>\n]*>\n{0,2}/g;

/** A prompt that Claude Code recorded or reported, as it was sent: without the tags around a paste, or its images. */
export function asSent(recorded: string): string {
  return withoutMentions(withoutPasteTags(recorded));
}

function withoutPasteTags(text: string): string {
  if (!text.includes('<pasted_content id="')) return text;
  const pastes = text.replaceAll(PASTED, (_, _id, pasted: string) => `\n${pasted.replaceAll(ESCAPED_TAG, '<')}\n`);
  return pastes === text ? text : pastes.trim();
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

/** A text without any tags around pastes: which of them it had when it was sent cannot always be told. */
function comparable(text: string): string {
  return text.replaceAll(ANY_TAG, '\n');
}

/** Claude Code removes whole escape sequences; our paste removes only the character that begins one. */
function withoutSequences(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]/g, '');
}
