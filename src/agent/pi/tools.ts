import type { PermissionMode } from '../../core/session.ts';
import type { FoundMode } from '../seam/conversations.ts';
import { asFields, asList, asText, type Fields } from '../seam/json.ts';

/** The tools that change nothing. */
const READING = 'read,grep,find,ls';
const WORD = 'tools:';

/**
 * pi has no permissions: what a conversation may do is which tools it has. Each message of the system says which were
 * added and removed. Null: the lines do not begin with the first one.
 */
export function toolsIn(rows: readonly Fields[]): FoundMode | null {
  if (rows[0]?.type !== 'session') return null;
  const tools = new Set<string>();
  for (const row of rows) {
    const message = asFields(row.message);
    if (row.type !== 'message' || message?.role !== 'system') continue;
    for (const tool of asList(message.toolsRemoved)) tools.delete(nameOf(tool));
    for (const tool of asList(message.toolsAdded)) tools.add(nameOf(tool));
  }
  const names = [...tools].filter((name) => /^[\w.:-]+$/.test(name));
  return { mode: 'ask-all', word: `${WORD}${names.join(',')}` };
}

function nameOf(tool: unknown): string {
  return asText(asFields(tool)?.name) ?? '';
}

/** The arguments that give a conversation that was taken over the tools that it had; if those are not known, few. */
export function toolWords(mode: PermissionMode, word: string | undefined): string[] {
  if (mode === 'none') return [];
  const known = mode === 'edits' || mode === 'auto' ? `${READING},edit,write` : READING;
  const tools = word?.startsWith(WORD) ? word.slice(WORD.length) : known;
  return tools === '' ? ['--no-tools'] : ['--tools', tools];
}
