import type { Action } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asFields, asList, asText } from '../seam/json.ts';
import { patchActions } from '../seam/patch.ts';
import { unwrapped, unwrappedList } from './command.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of Codex's tools. Of a tool that is not listed only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  exec_command: shell('cmd'),
  shell: shell('command'),
  shell_command: shell('command'),
  local_shell: shell('command'),
  apply_patch: (input) => patch(input),
  view_image: (input) => [{ is: 'read', path: textIn(input, 'path') }],
  spawn_agent: (input) => [{ is: 'agent', prompt: textIn(input, 'message') }],
};

/** The name of an MCP tool. The server name ends at the next double underscore. */
const MCP = /^mcp__((?:(?!__).)+)__(.+)$/s;

/** What a tool call of Codex would do. */
export function codexActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  if (known !== undefined) return known(input);
  const [, server, name] = MCP.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return [{ is: 'mcp', server, tool: name, input }];
  return [{ is: 'other', name: tool, input }];
}

function shell(field: string): Read {
  return (input) => {
    const isUnconfined =
      fieldOf(input, 'sandbox_permissions') === 'require_escalated' ||
      fieldOf(input, 'with_escalated_permissions') === true;
    return [{ is: 'shell', command: commandOf(fieldOf(input, field)), ...(isUnconfined && { isUnconfined }) }];
  };
}

/** The command of a call. Null also for a program with arguments: we do not guess how a shell would parse them. */
function commandOf(value: unknown): string | null {
  return Array.isArray(value) ? unwrappedList(value) : typeof value === 'string' ? unwrapped(value) : null;
}

/** A patch as the model writes it, or the list of changes that the server derives from one. */
function patch(input: unknown): readonly Action[] {
  const text = asText(input) ?? textIn(input, 'input') ?? textIn(input, 'patch');
  if (text !== null) return patchActions(text, 'input');
  const changes = asList(fieldOf(input, 'changes')).map(asFields);
  return changes.length === 0 ? [{ is: 'write', path: null, change: null }] : changes.flatMap(writesOf);
}

function writesOf(change: Readonly<Record<string, unknown>> | null): Action[] {
  const diff = asText(change?.diff);
  const kind = asFields(change?.kind);
  const moved = asText(kind?.move_path) ?? asText(kind?.movePath);
  const paths = [asText(change?.path), ...(moved === null ? [] : [moved])];
  const fields = ['changes'];
  const isNew = (asText(kind?.type) ?? asText(change?.kind)) === 'add';
  const made = diff === null ? null : isNew ? { is: 'text' as const, text: diff } : { is: 'diff' as const, diff };
  return paths.map((path) => ({ is: 'write', path, change: made === null ? null : { ...made, fields } }));
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
