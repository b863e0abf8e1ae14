import { expect, test } from 'vitest';
import { geminiActions } from './actions.ts';
import { geminiTool } from './tool.ts';

test.each([
  ['run_shell_command', { command: 'ls' }, { is: 'shell', command: 'ls' }],
  ['run_shell_command', { command: 'ls', elsewhere: '[in sub]' }, { is: 'shell', command: null }],
  ['run_shell_command', { command: 'ls', dir_path: 'sub' }, { is: 'shell', command: null }],
  ['read_file', { file_path: '/w/a' }, { is: 'read', path: '/w/a' }],
  ['read_many_files', { include: ['*'] }, { is: 'read', path: null, isDeep: true }],
  ['glob', { pattern: '*.ts', dir_path: 'src' }, { is: 'read', path: 'src', isDeep: true, pattern: '*.ts' }],
  ['grep_search', { pattern: 'x' }, { is: 'read', path: '.', isDeep: true, pattern: 'x' }],
  ['grep_search', { title: "'x' within src" }, { is: 'read', path: null, isDeep: true }],
  ['list_directory', { title: '.' }, { is: 'read', path: null, isDeep: true }],
  ['web_fetch', { title: 'Processing URLs' }, { is: 'fetch', url: null }],
  ['invoke_agent', { agent_name: 'generalist', prompt: 'go' }, { is: 'agent', prompt: 'go' }],
  ['mcp_a_b', { x: 1 }, { is: 'other', name: 'mcp_a_b', input: { x: 1 } }],
  ['save_memory', { fact: 'f' }, { is: 'other', name: 'save_memory', input: { fact: 'f' } }],
])('%s %j', (tool, input, action) => {
  expect(geminiActions(tool, input)).toEqual([action]);
});

test('writing shows the whole file, or what is replaced', () => {
  const whole = { is: 'text', text: 'new', fields: ['new_text'] };
  const path = '/w/a';
  for (const tool of ['write_file', 'replace'])
    expect(geminiActions(tool, { file_path: path, old_text: 'old', new_text: 'new' })).toEqual([
      { is: 'write', path, change: whole },
    ]);
  const replacements = [{ before: 'old', after: 'new', everywhere: true }];
  const input = { file_path: path, old_string: 'old', new_string: 'new', allow_multiple: true };
  expect(geminiActions('replace', input)).toMatchObject([{ is: 'write', path, change: { replacements } }]);
  expect(geminiActions('replace', {})).toEqual([{ is: 'write', path: null, change: null }]);
});

test('a tool is named in the id of its call; what does not fit the name is not taken for its input', () => {
  const call = { toolCallId: 'run_shell_command__call_1', title: 'rm -r x', kind: 'execute' };
  expect(geminiTool(call)).toEqual({ name: 'run_shell_command', input: { command: 'rm -r x' } });
  const about = (text: string) => [{ type: 'content', content: { type: 'text', text } }];
  const here = { ...call, content: about('[current working directory /w] (removes)') };
  expect(geminiTool(here).input).toEqual({ command: 'rm -r x' });
  const there = { ...call, content: about('[in current working directory] (removes)') };
  expect(geminiActions('run_shell_command', geminiTool(there).input)).toEqual([{ is: 'shell', command: null }]);
  const other = geminiTool({ ...call, kind: 'read' });
  expect(geminiActions(other.name, other.input)).toEqual([{ is: 'shell', command: null }]);
  expect(geminiTool({ kind: 'edit', title: 'x' })).toEqual({ name: 'edit', input: { title: 'x' } });
});
