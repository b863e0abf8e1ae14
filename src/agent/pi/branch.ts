import { asFields, asText, type Fields, type Line } from '../seam/json.ts';
import { entriesOf } from './entries.ts';

/** Lines that say nothing about the turn. */
const NOTES = new Set([
  ...['session', 'model_change', 'thinking_level_change', 'usage', 'compaction', 'branch_summary', 'custom'],
  ...['custom_message', 'session_info', 'context_edit', 'label'],
]);
const ROLES = new Set(['user', 'assistant', 'toolResult', 'system', 'bashExecution', 'custom']);
const REASONS = new Set(['stop', 'length', 'toolUse', 'error', 'aborted']);

/** Why the end of a conversation cannot be trusted to say how its last turn stands; null: it can. */
export function doubtOf(lines: readonly Line[], isOpen: boolean): string | null {
  const turn = lines.slice(Math.max(0, lines.findLastIndex(isPrompt)));
  const rows = turn.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
  if (rows.length < turn.length) return 'a line after its last request cannot be read';
  if (!rows.every(isKnown)) return 'a line after its last request is of an unknown kind';
  if (!isOpen) return null;
  const [prompt] = rows;
  return prompt === undefined || !isAncestor(prompt, rows) ? 'it has gone on from an earlier point' : null;
}

/** Is this line a request? */
export function isPrompt(line: Line): boolean {
  return entriesOf(line).some((entry) => entry.is === 'message' && entry.message.is === 'prompt');
}

function isKnown({ type, message }: Fields): boolean {
  if (type !== 'message') return NOTES.has(asText(type) ?? '');
  const { role, stopReason } = asFields(message) ?? {};
  return ROLES.has(asText(role) ?? '') && (role !== 'assistant' || REASONS.has(asText(stopReason) ?? ''));
}

/** Conversations are trees: an entry names the one that it follows. */
function isAncestor(prompt: Fields, rows: readonly Fields[]): boolean {
  const parents = new Map(rows.map(({ id, parentId }) => [asText(id) ?? '', asText(parentId)]));
  let at = asText(rows.at(-1)?.id) ?? '';
  // No more steps than rows: a damaged file may go in a circle.
  for (const _ of rows) {
    if (at === '' || at === prompt.id) break;
    at = parents.get(at) ?? '';
  }
  return at !== '' && at === prompt.id;
}
