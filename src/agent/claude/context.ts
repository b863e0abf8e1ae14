import { asFields, asList, asText, type Line, readJsonLines } from '../seam/json.ts';

/** Only hooks of sub-agents are given this key. A call whose input has it too brings the agent no news. */
export const SUBAGENT = '"agent_id":';

/** What a hook prints before and after a text, which stands there as JSON, so that the model is told it. */
export function contextFrame(event: string): readonly [before: string, after: string] {
  return [`{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":`, '}}'];
}

/** The texts that a hook told the model itself, by one line of a transcript. What sub-agents were told is not. */
export function contextsIn(line: Line): string[] {
  if (line.is === 'unreadable' || line.fields.isSidechain === true) return [];
  const attachment = asFields(line.fields.attachment);
  if (attachment?.type !== 'hook_additional_context') return [];
  return asList(attachment.content).flatMap((text) => asText(text) ?? []);
}

/** Is a text with this mark in it, which a hook told the model, in the transcript? */
export function hasContext(transcript: string, mark: string): boolean {
  return readJsonLines(transcript).lines.some((line) => contextsIn(line).some((text) => text.includes(mark)));
}
