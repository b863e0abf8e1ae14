/** What Claude Code makes of a long paste since 2.1.328. A test that sends such tags itself needs more than this. */
const PASTED = /^\s*<pasted_content id="(\w{4})">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/;

/** A prompt without the tags that Claude Code put around it, read without Outlast's own reader. */
export function withoutPasteTags(text: string): string {
  return text.replace(PASTED, '$2');
}
