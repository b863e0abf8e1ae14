import { expect, test } from 'vitest';
import type { Action } from '../../core/rules/action.ts';
import { copilotActions } from './actions.ts';

const replacement = { before: 'a', after: 'b', everywhere: false };

test.each<[tool: string, input: unknown, actions: readonly Action[]]>([
  ['bash', { command: 'ls', description: 'd' }, [{ is: 'shell', command: 'ls' }]],
  ['write_bash', { input: 'y', shellId: '0' }, [{ is: 'shell', command: null }]],
  ['view', { path: '/a' }, [{ is: 'read', path: '/a' }]],
  ['glob', { pattern: '*.ts' }, [{ is: 'read', path: '.', isDeep: true, pattern: '*.ts' }]],
  [
    'rg',
    { pattern: '../x', path: 'src' },
    [
      { is: 'read', path: 'src', isDeep: true, pattern: '../x' },
      { is: 'read', path: null, isDeep: true, pattern: '../x' },
    ],
  ],
  [
    'create',
    { path: 'a', file_text: 'x' },
    [{ is: 'write', path: 'a', change: { is: 'text', text: 'x', fields: ['file_text'] } }],
  ],
  [
    'edit',
    { path: 'a', old_str: 'a', new_str: 'b' },
    [
      {
        is: 'write',
        path: 'a',
        change: { is: 'replacements', replacements: [replacement], fields: ['old_str', 'new_str'] },
      },
    ],
  ],
  ['web_fetch', { url: 'https://x.test/' }, [{ is: 'fetch', url: 'https://x.test/' }]],
  ['task', { prompt: 'look', agent_type: 'explore' }, [{ is: 'agent', prompt: 'look' }]],
  ['docs-search', { q: 'x' }, [{ is: 'other', name: 'docs-search', input: { q: 'x' } }]],
])('%s %j', (tool, input, actions) => {
  expect(copilotActions(tool, input)).toEqual(actions);
});
