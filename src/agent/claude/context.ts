import { asFields, asList, asText, type Fields, readJsonLines } from './json.ts';

/** Only hooks of sub-agents are given this key. A call whose input has it too brings the agent no news. */
export const SUBAGENT = '"agent_id":';

/** What a hook prints before and after a text, which stands there as JSON, so that the model is told it. */
export function contextFrame(event: string): readonly [before: string, after: string] {
  return [`{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":`, '}}'];
}

/** Is a text with this mark in it, which a hook told the model, in the transcript? What sub-agents were told is not. */
export function hasContext(transcript: string, mark: string): boolean {
  for (let at = transcript.indexOf(mark); at >= 0; at = transcript.indexOf(mark, at + 1)) {
    const begin = transcript.lastIndexOf('\n', at) + 1;
    const end = transcript.indexOf('\n', at);
    // A line that is not whole yet says nothing.
    if (end < 0) return false;
    // The line feed between two records may be missing.
    const { lines } = readJsonLines(transcript.slice(begin, end + 1));
    if (lines.some((line) => line.is === 'object' && isContext(line.fields, mark))) return true;
    at = end;
  }
  return false;
}

function isContext(record: Fields, mark: string): boolean {
  const attachment = asFields(record.attachment);
  if (record.isSidechain === true || attachment?.type !== 'hook_additional_context') return false;
  return asList(attachment.content).some((text) => asText(text)?.includes(mark) === true);
}
