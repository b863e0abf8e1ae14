import type { Action, Change } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asText } from '../seam/json.ts';
import { patchActions } from '../seam/patch.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of Copilot's tools. Of others, including those of MCP servers, only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  bash: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  // Typing into a command that runs: which one is not said.
  write_bash: () => [{ is: 'shell', command: null }],
  view: (input) => [{ is: 'read', path: textIn(input, 'path') }],
  rg: (input) => search(input, 'pattern'),
  grep: (input) => search(input, 'pattern'),
  glob: (input) => search(input, 'pattern'),
  create: (input) => [write(input, written(fieldOf(input, 'file_text')))],
  edit: (input) => [write(input, replaced(input))],
  apply_patch: (input) =>
    patchActions(asText(input) ?? textIn(input, 'input') ?? textIn(input, 'patch') ?? '', 'input'),
  web_fetch: (input) => [{ is: 'fetch', url: textIn(input, 'url') }],
  task: (input) => [{ is: 'agent', prompt: textIn(input, 'prompt') }],
};

/** What a tool call of Copilot would do. */
export function copilotActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? [{ is: 'other', name: tool, input }] : known(input);
}

/** A search below a folder, by default the current one. Some patterns lead out of it. */
function search(input: unknown, looks: string): readonly Action[] {
  const isGiven = fieldOf(input, 'path') !== undefined;
  const pattern = textIn(input, looks);
  const path = isGiven ? textIn(input, 'path') : '.';
  const below: Action = { is: 'read', path, isDeep: true, ...(pattern !== null && { pattern }) };
  const strays = /^[/~]|(^|\/)\.\.(\/|$)/.test(String(pattern ?? fieldOf(input, 'glob') ?? ''));
  return strays ? [below, { ...below, path: null }] : [below];
}

function write(input: unknown, change: Change | null): Action {
  return { is: 'write', path: textIn(input, 'path'), change };
}

function written(content: unknown): Change | null {
  return typeof content === 'string' ? { is: 'text', text: content, fields: ['file_text'] } : null;
}

function replaced(input: unknown): Change | null {
  const [before, after] = [textIn(input, 'old_str'), textIn(input, 'new_str')];
  if (before === null || after === null) return null;
  const replacements = [{ before, after, everywhere: false }];
  return { is: 'replacements', replacements, fields: ['old_str', 'new_str'] };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
