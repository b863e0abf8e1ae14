import { expect, test } from 'vitest';
import type { Action } from '../../core/rules/action.ts';
import { claudeActions } from './actions.ts';

const edit = { old_string: 'a', new_string: 'b' };
const replacement = { before: 'a', after: 'b', everywhere: false };
const fields = ['old_string', 'new_string', 'replace_all'];

test.each<[tool: string, input: unknown, actions: readonly Action[]]>([
  ['Bash', { command: 'ls' }, [{ is: 'shell', command: 'ls' }]],
  ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }, [{ is: 'shell', command: 'ls', isUnconfined: true }]],
  ['Bash', { command: ['ls'] }, [{ is: 'shell', command: null }]],
  ['Read', { file_path: 'a' }, [{ is: 'read', path: 'a' }]],
  ['Read', null, [{ is: 'read', path: null }]],
  ['Grep', { pattern: 'x' }, [{ is: 'read', path: '.', isDeep: true, pattern: 'x' }]],
  ['Grep', { pattern: 'x', path: 7 }, [{ is: 'read', path: null, isDeep: true, pattern: 'x' }]],
  [
    'Glob',
    { pattern: '../*', path: 'src' },
    [
      { is: 'read', path: 'src', isDeep: true, pattern: '../*' },
      { is: 'read', path: null, isDeep: true, pattern: '../*' },
    ],
  ],
  [
    'Edit',
    { file_path: 'a', ...edit },
    [{ is: 'write', path: 'a', change: { is: 'replacements', replacements: [replacement], fields } }],
  ],
  [
    'MultiEdit',
    { file_path: 'a', edits: [edit, 7] },
    [{ is: 'write', path: 'a', change: { is: 'replacements', replacements: [replacement], fields: ['edits'] } }],
  ],
  [
    'Write',
    { file_path: 'a', content: 'x' },
    [{ is: 'write', path: 'a', change: { is: 'text', text: 'x', fields: ['content'] } }],
  ],
  ['Write', { file_path: 'a' }, [{ is: 'write', path: 'a', change: null }]],
  ['NotebookEdit', { notebook_path: 'a' }, [{ is: 'write', path: 'a', change: null }]],
  // T-GATE-15: the harmless one of two paths must not stand for the other.
  ['NotebookEdit', { file_path: 'a', notebook_path: 'b' }, [{ is: 'write', path: null, change: null }]],
  ['NotebookEdit', { file_path: 'a', notebook_path: 'a' }, [{ is: 'write', path: 'a', change: null }]],
  ['WebFetch', { url: 'https://a.org' }, [{ is: 'fetch', url: 'https://a.org' }]],
  ['Task', { prompt: 'x' }, [{ is: 'agent', prompt: 'x' }]],
  ['mcp__a__b__c', { n: 1 }, [{ is: 'mcp', server: 'a', tool: 'b__c', input: { n: 1 } }]],
  ['mcp__a', {}, [{ is: 'other', name: 'mcp__a', input: {} }]],
  ['SuperEdit', { file_path: 'a' }, [{ is: 'other', name: 'SuperEdit', input: { file_path: 'a' } }]],
  ['constructor', {}, [{ is: 'other', name: 'constructor', input: {} }]],
])('%s %j', (tool, input, actions) => {
  expect(claudeActions(tool, input)).toEqual(actions);
});
