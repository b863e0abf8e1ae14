import type { Action, Change } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asText } from '../seam/json.ts';

type Read = (input: unknown) => readonly Action[];

/**
 * The actions of the tools of Gemini CLI. A question of its server shows less than the call has: what it does not show
 * is unknown. Names of MCP tools are not split: where the name of the server ends cannot be told.
 */
const TOOLS: Readonly<Record<string, Read>> = {
  run_shell_command: shell,
  read_file: (input) => [{ is: 'read', path: textIn(input, 'file_path') }],
  read_many_files: () => [{ is: 'read', path: null, isDeep: true }],
  list_directory: searched,
  glob: searched,
  grep_search: searched,
  search_file_content: searched,
  write_file: (input) => [{ is: 'write', path: textIn(input, 'file_path'), change: written(input) }],
  replace: (input) => [{ is: 'write', path: textIn(input, 'file_path'), change: written(input) ?? replaced(input) }],
  // The address is somewhere in a text for the model.
  web_fetch: () => [{ is: 'fetch', url: null }],
  google_web_search: () => [{ is: 'fetch', url: null }],
  invoke_agent: (input) => [{ is: 'agent', prompt: textIn(input, 'prompt') }],
};

/** What a tool call of Gemini CLI would do. */
export function geminiActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? [{ is: 'other', name: tool, input }] : known(input);
}

/** In a folder of its own, a command may mean other files. */
function shell(input: unknown): readonly Action[] {
  const isElsewhere = fieldOf(input, 'elsewhere') !== undefined || fieldOf(input, 'dir_path') !== undefined;
  return [{ is: 'shell', command: isElsewhere ? null : textIn(input, 'command') }];
}

/** A question has only a title, which may be shortened. */
function searched(input: unknown): readonly Action[] {
  const pattern = textIn(input, 'pattern');
  const path = textIn(input, 'dir_path') ?? (fieldOf(input, 'title') === undefined ? '.' : null);
  return [{ is: 'read', path, isDeep: true, ...(pattern !== null && { pattern }) }];
}

/** The whole file after the call. */
function written(input: unknown): Change | null {
  const [name = null] = ['new_text', 'content'].filter((each) => textIn(input, each) !== null);
  return name === null ? null : { is: 'text', text: textIn(input, name) ?? '', fields: [name] };
}

function replaced(input: unknown): Change | null {
  const [before, after] = [textIn(input, 'old_string'), textIn(input, 'new_string')];
  if (before === null || after === null) return null;
  const everywhere = fieldOf(input, 'allow_multiple') === true;
  const fields = ['old_string', 'new_string', 'allow_multiple'];
  return { is: 'replacements', replacements: [{ before, after, everywhere }], fields };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
