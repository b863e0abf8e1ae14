import { expect, test } from 'vitest';
import { gooseActions } from './actions.ts';

test.each([
  ['shell', { command: 'ls' }, { is: 'shell', command: 'ls' }],
  ['tree', { path: '/etc' }, { is: 'read', path: '/etc', isDeep: true }],
  ['analyze', { path: 'src' }, { is: 'read', path: 'src', isDeep: true }],
  ['read_image', { source: '/a.png' }, { is: 'read', path: '/a.png' }],
  ['read_image', { source: 'https://x/a.png' }, { is: 'fetch', url: 'https://x/a.png' }],
  ['delegate', { instructions: 'do' }, { is: 'agent', prompt: 'do' }],
  ['apps__list_apps', { a: 1 }, { is: 'other', name: 'apps__list_apps', input: { a: 1 } }],
  ['shell', 'no object', { is: 'shell', command: null }],
])('%s %j', (tool, input, action) => {
  expect(gooseActions(tool, input)).toEqual([action]);
});

test('writing and editing show what changes', () => {
  expect(gooseActions('write', { path: 'a', content: 'x' })).toEqual([
    { is: 'write', path: 'a', change: { is: 'text', text: 'x', fields: ['content'] } },
  ]);
  const replacements = [{ before: 'x', after: 'y', everywhere: false }];
  expect(gooseActions('edit', { path: 'a', before: 'x', after: 'y' })).toEqual([
    { is: 'write', path: 'a', change: { is: 'replacements', replacements, fields: ['before', 'after'] } },
  ]);
  expect(gooseActions('edit', { path: 'a' })).toEqual([{ is: 'write', path: 'a', change: null }]);
});
