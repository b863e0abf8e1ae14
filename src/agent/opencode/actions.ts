import type { Action, Change, Replacement } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asList, asText } from '../seam/json.ts';
import { patchActions } from '../seam/patch.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of OpenCode's tools. Of others, including those of MCP servers, only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  bash: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  read: (input) => [{ is: 'read', path: textIn(input, 'filePath') }],
  glob: (input) => search(input, 'pattern', 'pattern'),
  grep: (input) => search(input, 'include', 'pattern'),
  list: (input) => search(input, 'pattern', 'pattern'),
  write: (input) => [write(input, written(fieldOf(input, 'content')))],
  edit: (input) => [write(input, replaced([input], ['oldString', 'newString', 'replaceAll']))],
  multiedit: (input) => [write(input, replaced(asList(fieldOf(input, 'edits')), ['edits']))],
  patch: (input) => patchActions(textIn(input, 'patchText') ?? '', 'patchText'),
  apply_patch: (input) => patchActions(textIn(input, 'patchText') ?? '', 'patchText'),
  webfetch: (input) => [{ is: 'fetch', url: textIn(input, 'url') }],
  task: (input) => [{ is: 'agent', prompt: textIn(input, 'prompt') }],
};

/** What a tool call of OpenCode would do. */
export function opencodeActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? [{ is: 'other', name: tool, input }] : known(input);
}

/** A search below a folder, by default the current one. Some patterns lead out of it. */
function search(input: unknown, leads: string, looks: string): readonly Action[] {
  const isGiven = fieldOf(input, 'path') !== undefined;
  const pattern = textIn(input, looks);
  const path = isGiven ? textIn(input, 'path') : '.';
  const below: Action = { is: 'read', path, isDeep: true, ...(pattern !== null && { pattern }) };
  const strays = /^[/~]|(^|\/)\.\.(\/|$)/.test(String(fieldOf(input, leads) ?? ''));
  return strays ? [below, { ...below, path: null }] : [below];
}

function write(input: unknown, change: Change | null): Action {
  return { is: 'write', path: textIn(input, 'filePath'), change };
}

function written(content: unknown): Change | null {
  return typeof content === 'string' ? { is: 'text', text: content, fields: ['content'] } : null;
}

function replaced(list: readonly unknown[], fields: readonly string[]): Change | null {
  const replacements = list.flatMap((each): Replacement[] => {
    const [before, after] = [textIn(each, 'oldString'), textIn(each, 'newString')];
    if (before === null || after === null) return [];
    return [{ before, after, everywhere: fieldOf(each, 'replaceAll') === true }];
  });
  return replacements.length === 0 ? null : { is: 'replacements', replacements, fields };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
