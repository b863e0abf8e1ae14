import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acpxIsHere, acpxProgram } from '../../scripts/acpx.ts';
import { callsOf, openEditor, type TestEditor, textOf } from '../acp-world.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { makeWorld, type Ran, type World } from '../world.ts';
import { NEWEST } from './newest.ts';

// `outlast acp` between real neighbours: Claude Code with a scripted model, and a client program from npm.

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const script = (...steps: object[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

function editorOn(stage: Stage, ...args: string[]): Promise<TestEditor> {
  return openEditor(stage.world, 'ed', ['--agent', 'claude', ...args], { cwd: stage.workspace, env: stage.env });
}

describe('Claude Code in an editor', { timeout: 120_000 }, () => {
  test.each(NEWEST)('%s asks the editor, and its changes are diffs', async (version) => {
    await using stage = await openStage(claudeOf(version));
    await using editor = await editorOn(stage);
    const id = await editor.newSession();
    const path = join(stage.workspace, 'new.txt');
    const write = { tool: 'Write', input: { file_path: path, content: 'hello\n' } };
    const answered = editor.prompt(id, script(write, bash('echo no >> ledger'), { text: 'all done' }));
    const first = await editor.dialog(0);
    expect(first.request.toolCall).toMatchObject({ kind: 'edit', locations: [{ path }] });
    expect(first.request.toolCall.content).toContainEqual(
      expect.objectContaining({ type: 'diff', path, newText: 'hello\n' }),
    );
    first.answer('allow');
    (await editor.dialog(1)).answer('deny');
    expect(await answered).toMatchObject({ stopReason: 'end_turn' });
    expect(readFileSync(path, 'utf8')).toBe('hello\n');
    expect(editor.text()).toBe('all done');
    const states = callsOf(editor.updates).map((each) => each.split(' ')[1]);
    expect(states.filter((state) => state === 'completed')).toHaveLength(1);
    const done = editor.updates.find(
      (each) => each.sessionUpdate === 'tool_call_update' && each.status === 'completed',
    );
    expect(done).toMatchObject({ content: expect.arrayContaining([{ type: 'diff', path, newText: 'hello\n' }]) });
  });

  const KILLS = NEWEST.flatMap((version) =>
    (['agent', 'daemon', 'outlast acp'] as const).map((who) => [version, who] as const),
  );
  test.each(some(KILLS, 3))('%s: the %s is killed in a tool, and the editor sees one reply', async (version, who) => {
    await using stage = await openStage(claudeOf(version));
    const first = await editorOn(stage, '--no-gate');
    const id = await first.newSession();
    const go = join(stage.root, 'go');
    const wait = `until [ -e '${go}' ]; do sleep 0.02; done`;
    const text = script(bash('echo a >> ledger'), bash(wait), { text: 'the end' });
    const asked = first.prompt(id, text).catch(() => null);
    const calls = () => first.updates.filter((each) => each.sessionUpdate === 'tool_call');
    await eventually(() => calls().length === 2, { what: 'the second call', msMax: 60_000 });
    if (who === 'agent') kill((await stage.world.client.show(id)).session.pid);
    // The editor's side starts the next one.
    if (who === 'daemon') await stage.world.kill();
    if (who === 'outlast acp') await first.kill();
    await using editor = who === 'outlast acp' ? await editorOn(stage, '--no-gate') : first;
    if (editor !== first)
      await editor.agent.request('session/load', { sessionId: id, cwd: stage.workspace, mcpServers: [] });
    const answered = editor === first ? asked : editor.prompt(id, text);
    writeFileSync(go, '');
    expect(await answered).toMatchObject({ stopReason: 'end_turn' });
    expect(textOf(editor.updates)).toBe('the end');
    expect(readFileSync(join(stage.workspace, 'ledger'), 'utf8')).toBe('a\n');
    const prompts = await stage.eventNames(id, 'prompt.queued', 'prompt.answered');
    expect(prompts).toEqual(['prompt.queued', 'prompt.answered']);
  });
});

describe.skipIf(!acpxIsHere() && process.env.CI !== 'true')('acpx, a client program', { timeout: 120_000 }, () => {
  function acpx(world: World, cwd: string, ...words: string[]): Promise<Ran> {
    const agent = `${process.execPath} ${BIN} acp --agent echo`;
    const argv = [acpxProgram(), '--format', 'quiet', '--cwd', cwd, '--ttl', '1', '--agent', agent, ...words];
    return new Promise((resolve) => {
      const child = spawn(process.execPath, argv, { env: world.env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk) => {
        said.stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        said.stderr += chunk;
      });
      child.on('close', (status) => resolve({ status, ...said }));
    });
  }

  test('gives a prompt, answers its question, and prints the reply', async () => {
    await using world = await makeWorld();
    const cwd = join(world.state, 'workspace');
    mkdirSync(cwd);
    const allowed = await acpx(world, cwd, '--approve-all', 'exec', 'run echo a >> ledger\nsay hello');
    expect(allowed).toMatchObject({ status: 0, stdout: expect.stringContaining('hello') });
    const denied = await acpx(world, cwd, '--deny-all', 'exec', 'run echo b >> ledger\nsay well');
    expect(denied.stdout).toContain('well');
    expect(readFileSync(join(cwd, 'ledger'), 'utf8')).toBe('a\n');
    const { sessions } = await world.client.list({});
    expect(sessions.map(({ agent, workspace, gate }) => [agent, workspace, gate])).toEqual([
      ['echo', cwd, 'gate'],
      ['echo', cwd, 'gate'],
    ]);
  });
});
