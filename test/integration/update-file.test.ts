import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { contextFrame, SUBAGENT } from '../../src/agent/claude/context.ts';
import type { SessionId } from '../../src/core/session.ts';
import { type UpdateHook, updateCommand } from '../../src/terminal/hook-command.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { stageUpdate, updatePlace, withdrawUpdate } from '../../src/terminal/update-file.ts';

// Updates that are staged for the hook after a tool, and which process gets them.

const HOOK = join(import.meta.dirname, '../../src/terminal/hook.sh');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function world(change: Partial<UpdateHook> = {}) {
  const state = mkdtempSync(join(tmpdir(), "ol-update's-"));
  folders.push(state);
  const files = runFolder(state, { session: 's1' as SessionId, run: 1 });
  const signals = join(state, 'news');
  mkdirSync(files.spool, { recursive: true });
  mkdirSync(signals);
  const [before, after] = contextFrame('PostToolUse');
  const place = { program: HOOK, spool: files.spool, reports: signals, name: 's1.1' };
  const command = updateCommand(place, {
    update: files.update,
    before,
    after,
    others: SUBAGENT,
    isOnly: false,
    ...change,
  });
  const hook = (payload: object): Promise<string> =>
    new Promise((done) => {
      const child = spawn('sh', ['-c', command], { stdio: 'pipe' });
      let output = '';
      child.stdout.on('data', (piece) => (output += String(piece)));
      child.once('close', () => done(output));
      child.stdin.on('error', () => {}); // The hook may not read it.
      child.stdin.end(`${JSON.stringify(payload)}\n`);
    });
  return { files, hook, dropped: () => readdirSync(files.spool).filter((name) => !name.endsWith('.tmp')).length };
}

const PAYLOAD = { session_id: 'c1', hook_event_name: 'PostToolUse', tool_name: 'Bash' };
const TEXT = `[outlast] Updates (s1.9)\n| "it's" 100%s \\n $(x) \`y\` ü\n[end of updates]`;

test('a hook delivers the staged update, once and unchanged, and still reports its call', async () => {
  const { files, hook, dropped } = world();
  expect([await hook(PAYLOAD), updatePlace(files, 's1.9')]).toEqual(['', 'none']);
  stageUpdate(files, TEXT);
  expect(updatePlace(files, 's1.9')).toBe('out');
  const output = JSON.parse(await hook(PAYLOAD));
  expect(output).toEqual({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: TEXT } });
  expect(updatePlace(files, 's1.9')).toBe('taken');
  expect(await hook(PAYLOAD)).toBe('');
  expect(dropped()).toBe(3);
});

test('only one of many concurrent hooks and the daemon gets a staged update', async () => {
  const { files, hook } = world();
  for (const round of [1, 2, 3, 4, 5]) {
    const mark = `s1.${round}0`;
    stageUpdate(files, `(${mark})`);
    const hooks = [1, 2, 3, 4].map(() => hook(PAYLOAD));
    withdrawUpdate(files);
    const output = (await Promise.all(hooks)).filter((text) => text !== '');
    const back = updatePlace(files, mark) === 'back';
    expect([...output, ...(back ? ['back'] : [])]).toHaveLength(1);
  }
});

test('a withdrawn update is not delivered by a hook, and withdrawing a delivered one changes nothing', async () => {
  const { files, hook } = world();
  stageUpdate(files, TEXT);
  withdrawUpdate(files);
  expect([await hook(PAYLOAD), updatePlace(files, 's1.9')]).toEqual(['', 'back']);
  stageUpdate(files, 'again (s1.12)');
  await hook(PAYLOAD);
  withdrawUpdate(files);
  expect([updatePlace(files, 's1.9'), updatePlace(files, 's1.12')]).toEqual(['back', 'taken']);
});

test('a hook of a sub-agent leaves it staged', async () => {
  const { files, hook } = world();
  stageUpdate(files, TEXT);
  expect(await hook({ ...PAYLOAD, agent_id: 'a1', tool_input: {} })).toBe('');
  expect(updatePlace(files, 's1.9')).toBe('out');
  // A text that mentions sub-agents is not from a sub-agent.
  expect(await hook({ ...PAYLOAD, tool_input: { command: 'echo \'{"agent_id":1}\'' } })).toContain('(s1.9)');
});

test('a hook with nothing else to do reports nothing when nothing is staged', async () => {
  const { files, hook, dropped } = world({ isOnly: true });
  expect([await hook(PAYLOAD), dropped()]).toEqual(['', 0]);
  stageUpdate(files, TEXT);
  expect(await hook(PAYLOAD)).toContain('(s1.9)');
});
