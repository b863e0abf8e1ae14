import type { Action } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';

/** What a tool call of echo would do. */
export function echoActions(tool: string, input: unknown): readonly Action[] {
  switch (tool) {
    case 'shell':
      return [{ is: 'shell', command: textOf(input, 'command') }];
    case 'read':
      return [{ is: 'read', path: textOf(input, 'path') }];
    case 'write': {
      const text = textOf(input, 'text');
      const change = text === null ? null : ({ is: 'text', text, fields: ['text'] } as const);
      return [{ is: 'write', path: textOf(input, 'path'), change }];
    }
    default:
      return [{ is: 'other', name: tool, input }];
  }
}

function textOf(input: unknown, name: string): string | null {
  const value = fieldOf(input, name);
  return typeof value === 'string' ? value : null;
}
