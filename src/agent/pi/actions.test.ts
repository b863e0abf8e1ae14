import { expect, test } from 'vitest';
import type { Action } from '../../core/rules/action.ts';
import { piActions } from './actions.ts';

const replacement = { before: 'a', after: 'b', everywhere: false };

test.each<[tool: string, input: unknown, actions: readonly Action[]]>([
  ['bash', { command: 'ls', timeout: 5 }, [{ is: 'shell', command: 'ls' }]],
  ['bash', {}, [{ is: 'shell', command: null }]],
  ['read', { path: 'a', offset: 3 }, [{ is: 'read', path: 'a' }]],
  ['ls', {}, [{ is: 'read', path: '.', isDeep: true }]],
  ['ls', { path: '/etc' }, [{ is: 'read', path: '/etc', isDeep: true }]],
  ['grep', { pattern: 'x' }, [{ is: 'read', path: '.', isDeep: true, pattern: 'x' }]],
  [
    'find',
    { pattern: '../*', path: 'src' },
    [
      { is: 'read', path: 'src', isDeep: true, pattern: '../*' },
      { is: 'read', path: null, isDeep: true, pattern: '../*' },
    ],
  ],
  [
    'write',
    { path: 'a', content: 'x' },
    [{ is: 'write', path: 'a', change: { is: 'text', text: 'x', fields: ['content'] } }],
  ],
  [
    'edit',
    { path: 'a', edits: [{ oldText: 'a', newText: 'b' }] },
    [{ is: 'write', path: 'a', change: { is: 'replacements', replacements: [replacement], fields: ['edits'] } }],
  ],
  [
    'edit',
    { path: 'a', oldText: 'a', newText: 'b' },
    [
      {
        is: 'write',
        path: 'a',
        change: { is: 'replacements', replacements: [replacement], fields: ['oldText', 'newText'] },
      },
    ],
  ],
  ['deploy', { to: 'x' }, [{ is: 'other', name: 'deploy', input: { to: 'x' } }]],
])('%s %j', (tool, input, actions) => {
  expect(piActions(tool, input)).toEqual(actions);
});
