import type { Action, Change, Replacement } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of Claude Code's tools. Of a tool that is not listed only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  Bash: (input) => [
    {
      is: 'shell',
      command: textOf(input, 'command'),
      ...(fieldOf(input, 'dangerouslyDisableSandbox') === true && { isUnconfined: true as const }),
    },
  ],
  Read: (input) => [{ is: 'read', path: pathOf(input) }],
  NotebookRead: (input) => [{ is: 'read', path: pathOf(input) }],
  Glob: (input) => search(input, 'pattern', 'pattern'),
  Grep: (input) => search(input, 'glob', 'pattern'),
  LS: (input) => search(input, 'glob', 'glob'),
  Edit: (input) => [write(input, replaced([input], ['old_string', 'new_string', 'replace_all']))],
  MultiEdit: (input) => [write(input, replaced(fieldOf(input, 'edits'), ['edits']))],
  Write: (input) => [write(input, written(fieldOf(input, 'content')))],
  NotebookEdit: (input) => [write(input, null)],
  WebFetch: (input) => [{ is: 'fetch', url: textOf(input, 'url') }],
  Agent: (input) => [{ is: 'agent', prompt: textOf(input, 'prompt') }],
  Task: (input) => [{ is: 'agent', prompt: textOf(input, 'prompt') }],
};

/** The name of an MCP tool. The server name ends at the next double underscore. */
const MCP = /^mcp__((?:(?!__).)+)__(.+)$/s;

/** What a tool call of Claude Code would do. */
export function claudeActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  if (known !== undefined) return known(input);
  const [, server, name] = MCP.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return [{ is: 'mcp', server, tool: name, input }];
  return [{ is: 'other', name: tool, input }];
}

function textOf(input: unknown, name: string): string | null {
  const value = fieldOf(input, name);
  return typeof value === 'string' ? value : null;
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path'] as const;

/** The path of a call. Null also when the call names two: we do not guess which one the tool would use. */
function pathOf(input: unknown): string | null {
  const given = new Set(PATH_FIELDS.map((name) => fieldOf(input, name)).filter((path) => path !== undefined));
  const [path] = given;
  return given.size === 1 && typeof path === 'string' ? path : null;
}

/** A search below a folder, by default the current one. Some patterns lead out of it. */
function search(input: unknown, leads: string, looks: string): readonly Action[] {
  const isGiven = PATH_FIELDS.some((name) => fieldOf(input, name) !== undefined);
  const pattern = textOf(input, looks);
  const below: Action = {
    is: 'read',
    path: isGiven ? pathOf(input) : '.',
    isDeep: true,
    ...(pattern !== null && { pattern }),
  };
  const strays = /^[/~]|(^|\/)\.\.(\/|$)/.test(String(fieldOf(input, leads) ?? ''));
  return strays ? [below, { ...below, path: null }] : [below];
}

function write(input: unknown, change: Change | null): Action {
  return { is: 'write', path: pathOf(input), change };
}

function written(content: unknown): Change | null {
  return typeof content === 'string' ? { is: 'text', text: content, fields: ['content'] } : null;
}

function replaced(list: unknown, fields: readonly string[]): Change | null {
  const replacements = (Array.isArray(list) ? list : []).flatMap((each): Replacement[] => {
    const [before, after] = [fieldOf(each, 'old_string'), fieldOf(each, 'new_string')];
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    return [{ before, after, everywhere: fieldOf(each, 'replace_all') === true }];
  });
  return replacements.length === 0 ? null : { is: 'replacements', replacements, fields };
}
