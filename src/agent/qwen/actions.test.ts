import { expect, test } from 'vitest';
import { qwenActions } from './actions.ts';

test.each([
  ['run_shell_command', { command: 'npm test' }, { is: 'shell', command: 'npm test' }],
  ['read_file', { file_path: '/w/a' }, { is: 'read', path: '/w/a' }],
  ['grep_search', { pattern: 'x', path: 'src' }, { is: 'read', path: 'src', isDeep: true, pattern: 'x' }],
  ['web_fetch', { url: 'https://a.example' }, { is: 'fetch', url: 'https://a.example' }],
  ['agent', { prompt: 'look' }, { is: 'agent', prompt: 'look' }],
  ['mcp__files__read', { path: 'a' }, { is: 'mcp', server: 'files', tool: 'read', input: { path: 'a' } }],
  ['cron_create', { prompt: 'x' }, { is: 'other', name: 'cron_create', input: { prompt: 'x' } }],
  [
    'write_file',
    { file_path: '/w/a', content: 'hi' },
    { is: 'write', path: '/w/a', change: { is: 'text', text: 'hi', fields: ['content'] } },
  ],
])('%s', (tool, input, action) => {
  expect(qwenActions(tool, input)).toEqual([action]);
});

test('an edit shows what it replaces, and a call that cannot be read shows no change', () => {
  const replacements = [{ before: 'a', after: 'b', everywhere: false }];
  const fields = ['old_string', 'new_string', 'replace_all'];
  expect(qwenActions('edit', { file_path: 'f', old_string: 'a', new_string: 'b' })).toEqual([
    { is: 'write', path: 'f', change: { is: 'replacements', replacements, fields } },
  ]);
  expect(qwenActions('edit', null)).toEqual([{ is: 'write', path: null, change: null }]);
});
