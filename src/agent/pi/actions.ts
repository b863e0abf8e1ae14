import type { Action, Change, Replacement } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asList, asText } from '../seam/json.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of pi's tools. Of others, which extensions add, only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  bash: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  read: (input) => [{ is: 'read', path: textIn(input, 'path') }],
  write: (input) => [{ is: 'write', path: textIn(input, 'path'), change: written(fieldOf(input, 'content')) }],
  edit: (input) => [{ is: 'write', path: textIn(input, 'path'), change: replaced(input) }],
  grep: (input) => search(input, 'glob', 'pattern'),
  find: (input) => search(input, 'pattern', 'pattern'),
  ls: (input) => search(input, 'path', 'path'),
};

/** What a tool call of pi would do. */
export function piActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? [{ is: 'other', name: tool, input }] : known(input);
}

/** A search below a folder, by default the current one. Some patterns lead out of it. */
function search(input: unknown, leads: string, looks: string): readonly Action[] {
  const isGiven = fieldOf(input, 'path') !== undefined;
  const pattern = looks === 'path' ? null : textIn(input, looks);
  const path = isGiven ? textIn(input, 'path') : '.';
  const below: Action = { is: 'read', path, isDeep: true, ...(pattern !== null && { pattern }) };
  const strays = leads !== 'path' && /^[/~]|(^|\/)\.\.(\/|$)/.test(String(fieldOf(input, leads) ?? ''));
  return strays ? [below, { ...below, path: null }] : [below];
}

function written(content: unknown): Change | null {
  return typeof content === 'string' ? { is: 'text', text: content, fields: ['content'] } : null;
}

/** One replacement, as older versions of the tool have it, or a list of them. */
function replaced(input: unknown): Change | null {
  const edits = asList(fieldOf(input, 'edits'));
  const fields = edits.length === 0 ? ['oldText', 'newText'] : ['edits'];
  const replacements = (edits.length === 0 ? [input] : edits).flatMap((each): Replacement[] => {
    const [before, after] = [textIn(each, 'oldText'), textIn(each, 'newText')];
    return before === null || after === null ? [] : [{ before, after, everywhere: false }];
  });
  return replacements.length === 0 ? null : { is: 'replacements', replacements, fields };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
