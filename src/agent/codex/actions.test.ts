import { expect, test } from 'vitest';
import type { Action } from '../../core/rules/action.ts';
import { codexActions } from './actions.ts';
import { unwrapped } from './command.ts';

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const ANYWHERE: Action = { is: 'write', path: null, change: null };
const diffOf = (path: string, diff: string): Action => ({
  is: 'write',
  path,
  change: { is: 'diff', diff, fields: ['input'] },
});

test.each<[tool: string, input: unknown, actions: readonly Action[]]>([
  ['exec_command', { cmd: 'ls' }, [{ is: 'shell', command: 'ls' }]],
  ['exec_command', { command: 'ls' }, [{ is: 'shell', command: null }]],
  ['shell', { command: ['bash', '-lc', 'ls; pwd'] }, [{ is: 'shell', command: 'ls; pwd' }]],
  ['shell', { command: ['rm', '-rf', 'a b'] }, [{ is: 'shell', command: null }]],
  ['shell', { command: ['bash', '-lc', 'ls', 'x'] }, [{ is: 'shell', command: null }]],
  [
    'exec_command',
    { cmd: 'ls', sandbox_permissions: 'require_escalated' },
    [{ is: 'shell', command: 'ls', isUnconfined: true }],
  ],
  ['view_image', { path: 'a.png' }, [{ is: 'read', path: 'a.png' }]],
  ['spawn_agent', { message: 'x' }, [{ is: 'agent', prompt: 'x' }]],
  ['mcp__a__b__c', { n: 1 }, [{ is: 'mcp', server: 'a', tool: 'b__c', input: { n: 1 } }]],
  // Input for a shell that is already running could be anything.
  ['write_stdin', { chars: 'rm -rf /\n' }, [{ is: 'other', name: 'write_stdin', input: { chars: 'rm -rf /\n' } }]],
  ['exec', 'tools.exec_command()', [{ is: 'other', name: 'exec', input: 'tools.exec_command()' }]],
  ['constructor', {}, [{ is: 'other', name: 'constructor', input: {} }]],
  [
    'apply_patch',
    patch('*** Add File: a', '+one', '+', '*** Update File: b', '@@', '-x', '+y', '*** Delete File: c'),
    [
      { is: 'write', path: 'a', change: { is: 'text', text: 'one\n\n', fields: ['input'] } },
      diffOf('b', '@@\n-x\n+y'),
      diffOf('c', '*** Delete File: c'),
    ],
  ],
  [
    'apply_patch',
    { input: patch('*** Update File: a', '*** Move to: ../b', '@@', '+y', '*** End of File') },
    [
      diffOf('a', '*** Move to: ../b\n@@\n+y\n*** End of File'),
      diffOf('../b', '*** Move to: ../b\n@@\n+y\n*** End of File'),
    ],
  ],
  // A patch that Codex may read differently from us must not be allowed by the files that we see.
  ['apply_patch', patch('*** Add File: a', '+x', '*** Rename File: /etc/passwd'), [ANYWHERE]],
  ['apply_patch', patch('+x'), [ANYWHERE]],
  ['apply_patch', '*** Add File: a\n+x', [ANYWHERE]],
  ['apply_patch', { changes: [] }, [ANYWHERE]],
  [
    'apply_patch',
    { changes: [{ path: 'a', kind: { type: 'update', move_path: 'b' }, diff: '@@' }, 7] },
    [
      { is: 'write', path: 'a', change: { is: 'diff', diff: '@@', fields: ['changes'] } },
      { is: 'write', path: 'b', change: { is: 'diff', diff: '@@', fields: ['changes'] } },
      ANYWHERE,
    ],
  ],
])('%s %j', (tool, input, actions) => {
  expect(codexActions(tool, input)).toEqual(actions);
});

test.each([
  [`/bin/bash -lc 'cat r.txt'`, 'cat r.txt'],
  [`bash -c 'a; b'`, 'a; b'],
  ['/bin/zsh -lc "echo \\"it\'s\\" \\$HOME"', 'echo "it\'s" $HOME'],
  ['/bin/bash -lc ls', 'ls'],
  // More than one word, or one that a shell would expand: it stays as it is.
  [`/bin/bash -lc 'a' 'b'`, `/bin/bash -lc 'a' 'b'`],
  [`/bin/bash -lc 'a'"'"'b'`, `/bin/bash -lc 'a'"'"'b'`],
  ['/bin/bash -lc "$(evil)"', '/bin/bash -lc "$(evil)"'],
  ['/bin/bash -lc ls -la', '/bin/bash -lc ls -la'],
  ['python -c 1', 'python -c 1'],
])('%s runs %s', (line, command) => {
  expect(unwrapped(line)).toBe(command);
});
