import { expect, test } from 'vitest';
import type { Action } from '../../core/rules/action.ts';
import { opencodeActions } from './actions.ts';

const replacement = { before: 'a', after: 'b', everywhere: false };
const fields = ['oldString', 'newString', 'replaceAll'];

test.each<[tool: string, input: unknown, actions: readonly Action[]]>([
  ['bash', { command: 'ls', description: 'd' }, [{ is: 'shell', command: 'ls' }]],
  ['bash', {}, [{ is: 'shell', command: null }]],
  ['read', { filePath: 'a' }, [{ is: 'read', path: 'a' }]],
  ['grep', { pattern: 'x' }, [{ is: 'read', path: '.', isDeep: true, pattern: 'x' }]],
  [
    'glob',
    { pattern: '/etc/*', path: 'src' },
    [
      { is: 'read', path: 'src', isDeep: true, pattern: '/etc/*' },
      { is: 'read', path: null, isDeep: true, pattern: '/etc/*' },
    ],
  ],
  [
    'write',
    { filePath: 'a', content: 'x' },
    [{ is: 'write', path: 'a', change: { is: 'text', text: 'x', fields: ['content'] } }],
  ],
  [
    'edit',
    { filePath: 'a', oldString: 'a', newString: 'b' },
    [{ is: 'write', path: 'a', change: { is: 'replacements', replacements: [replacement], fields } }],
  ],
  // All that a question alone contains about an edit.
  ['edit', { filePath: 'a' }, [{ is: 'write', path: 'a', change: null }]],
  [
    'apply_patch',
    { patchText: '*** Begin Patch\n*** Delete File: a\n*** End Patch' },
    [{ is: 'write', path: 'a', change: { is: 'diff', diff: '*** Delete File: a', fields: ['patchText'] } }],
  ],
  ['patch', {}, [{ is: 'write', path: null, change: null }]],
  ['webfetch', { url: 'https://a.org' }, [{ is: 'fetch', url: 'https://a.org' }]],
  ['task', { prompt: 'x' }, [{ is: 'agent', prompt: 'x' }]],
  ['lab_ping', { x: 1 }, [{ is: 'other', name: 'lab_ping', input: { x: 1 } }]],
  ['external_directory', {}, [{ is: 'other', name: 'external_directory', input: {} }]],
  ['constructor', {}, [{ is: 'other', name: 'constructor', input: {} }]],
])('%s %j', (tool, input, actions) => {
  expect(opencodeActions(tool, input)).toEqual(actions);
});
