import type { Action, Change } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';
import { asText } from '../seam/json.ts';

type Read = (input: unknown) => readonly Action[];

/** The actions of Goose's own tools. Of others, including those of extensions, only the name is known. */
const TOOLS: Readonly<Record<string, Read>> = {
  shell: (input) => [{ is: 'shell', command: textIn(input, 'command') }],
  write: (input) => [{ is: 'write', path: textIn(input, 'path'), change: written(textIn(input, 'content')) }],
  edit: (input) => [{ is: 'write', path: textIn(input, 'path'), change: replaced(input) }],
  tree: (input) => [{ is: 'read', path: textIn(input, 'path'), isDeep: true }],
  analyze: (input) => [{ is: 'read', path: textIn(input, 'path'), isDeep: true }],
  read_image: (input) => image(textIn(input, 'source')),
  delegate: (input) => [{ is: 'agent', prompt: textIn(input, 'instructions') }],
};

/** What a tool call of Goose would do. */
export function gooseActions(tool: string, input: unknown): readonly Action[] {
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  return known === undefined ? [{ is: 'other', name: tool, input }] : known(input);
}

/** An image is a file or an address. */
function image(source: string | null): readonly Action[] {
  return /^https?:/i.test(source ?? '') ? [{ is: 'fetch', url: source }] : [{ is: 'read', path: source }];
}

function written(text: string | null): Change | null {
  return text === null ? null : { is: 'text', text, fields: ['content'] };
}

function replaced(input: unknown): Change | null {
  const [before, after] = [textIn(input, 'before'), textIn(input, 'after')];
  if (before === null || after === null) return null;
  return { is: 'replacements', replacements: [{ before, after, everywhere: false }], fields: ['before', 'after'] };
}

function textIn(input: unknown, name: string): string | null {
  return asText(fieldOf(input, name));
}
