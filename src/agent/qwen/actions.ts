import type { Action, Change } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asText } from '../seam/json.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of Qwen Code's tools. Of a tool that is not listed only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  run_shell_command: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  monitor: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  read_file: (input) => [{ is: 'read', path: textIn(input, 'file_path') ?? textIn(input, 'absolute_path') }],
  list_directory: (input) => [{ is: 'read', path: textIn(input, 'path') }],
  glob: searched,
  grep_search: searched,
  write_file: (input) => [{ is: 'write', path: textIn(input, 'file_path'), change: written(input) }],
  edit: (input) => [{ is: 'write', path: textIn(input, 'file_path'), change: replaced(input) }],
  notebook_edit: (input) => [{ is: 'write', path: textIn(input, 'notebook_path'), change: null }],
  web_fetch: (input) => [{ is: 'fetch', url: textIn(input, 'url') }],
  agent: (input) => [{ is: 'agent', prompt: textIn(input, 'prompt') }],
};

/** The name of an MCP tool. The server name ends at the next double underscore. */
const MCP = /^mcp__((?:(?!__).)+)__(.+)$/s;

/** What a tool call of Qwen Code would do. */
export function qwenActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  if (known !== undefined) return known(input);
  const [, server, name] = MCP.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return [{ is: 'mcp', server, tool: name, input }];
  return [{ is: 'other', name: tool, input }];
}

function searched(input: unknown): readonly Action[] {
  const pattern = textIn(input, 'pattern');
  return [{ is: 'read', path: textIn(input, 'path') ?? '.', isDeep: true, ...(pattern !== null && { pattern }) }];
}

function written(input: unknown): Change | null {
  const text = textIn(input, 'content');
  return text === null ? null : { is: 'text', text, fields: ['content'] };
}

function replaced(input: unknown): Change | null {
  const [before, after] = [textIn(input, 'old_string'), textIn(input, 'new_string')];
  if (before === null || after === null) return null;
  const everywhere = fieldOf(input, 'replace_all') === true;
  const fields = ['old_string', 'new_string', 'replace_all'];
  return { is: 'replacements', replacements: [{ before, after, everywhere }], fields };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
