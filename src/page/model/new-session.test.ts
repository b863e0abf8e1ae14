import { expect, test } from 'vitest';
import { EMPTY, faultOf, problemsOf, startOf } from './new-session.ts';

const agent = { ...EMPTY, prompt: ' fix it ', folder: '/shop' };

test('what is missing is told at its field before the daemon is asked', () => {
  expect(problemsOf(agent)).toBeNull();
  expect(problemsOf({ ...agent, prompt: '  ' })?.field).toBe('prompt');
  expect(problemsOf({ ...agent, kind: 'command' })?.field).toBe('shell');
  expect(problemsOf({ ...agent, folder: 'shop' })?.field).toBe('folder');
  expect(problemsOf({ ...agent, name: 'Fix It' })?.field).toBe('name');
});

test('only what was filled in is requested', () => {
  expect(startOf(agent)).toEqual({ cwd: '/shop', agent: '', prompt: 'fix it' });
  const all = {
    ...agent,
    agent: 'codex',
    model: 'opus',
    gate: 'gate',
    isLive: true,
    name: 'x',
    hasWorktree: true,
  } as const;
  expect(startOf(all)).toEqual({
    ...{ cwd: '/shop', name: 'x', worktree: '', agent: 'codex', prompt: 'fix it', model: 'opus' },
    ...{ drive: 'live', gate: { mode: 'gate' } },
  });
  const command = { ...agent, kind: 'command', shell: 'make', hasTerminal: true } as const;
  expect(startOf(command)).toEqual({ cwd: '/shop', shell: 'make', terminal: 'pty' });
});

test('a refusal is told at the field that it names, else at the end', () => {
  expect(faultOf('cwd: /nowhere is not a folder', agent).field).toBe('folder');
  expect(faultOf('a session named "x" is live', agent).field).toBe('name');
  expect(faultOf('the machine is full', agent)).toEqual({ field: null, why: 'the machine is full' });
});
