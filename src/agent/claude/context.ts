import { asFields, asList, asText, type Line, readJsonLines } from '../seam/json.ts';

/** Only hooks of sub-agents get this key. After a call whose input contains it too, no update is delivered. */
export const SUBAGENT = '"agent_id":';

/** What a hook prints before and after a JSON-encoded text to add that text to the model's context. */
export function contextFrame(event: string): readonly [before: string, after: string] {
  return [`{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":`, '}}'];
}

/**
 * The texts that a hook added to the context of the agent itself, by one line of a transcript. Sub-agents do not count.
 */
export function contextsIn(line: Line): string[] {
  if (line.is === 'unreadable' || line.fields.isSidechain === true) return [];
  const attachment = asFields(line.fields.attachment);
  if (attachment?.type !== 'hook_additional_context') return [];
  return asList(attachment.content).flatMap((text) => asText(text) ?? []);
}

/** True when the transcript has a text from a hook that contains this id. */
export function hasContext(transcript: string, id: string): boolean {
  return readJsonLines(transcript).lines.some((line) => contextsIn(line).some((text) => text.includes(id)));
}
