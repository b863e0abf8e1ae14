import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callsOf, openEditor, textOf } from '../acp-world.ts';
import { eventually } from '../eventually.ts';
import { bash, gatedWorld } from './gated.ts';

// `outlast acp`, a real daemon and the scripted agent with its real hooks, driven by the official client.

const world = await gatedWorld();
afterAll(() => world[Symbol.asyncDispose]());

const SCRIPTED = ['--agent', 'scripted'];

function script(...steps: readonly object[]): string {
  return `SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

test('an editor starts a session, and gets the calls and the reply of each prompt once', async () => {
  await using editor = await openEditor(world, 'ann', [...SCRIPTED, '--no-gate']);
  const id = await editor.newSession();
  expect((await world.client.show(id)).session).toMatchObject({ workspace: editor.cwd, phase: 'idle', run: 0 });
  const answered = await editor.prompt(id, script(bash('echo one >> ledger'), { text: 'done' }));
  expect(answered).toMatchObject({ stopReason: 'end_turn', _meta: { outlast: { session: id } } });
  expect(editor.text()).toBe('done');
  const [call] = editor.updates.filter((each) => each.sessionUpdate === 'tool_call');
  expect(call).toMatchObject({
    title: 'echo one >> ledger',
    kind: 'execute',
    rawInput: { command: 'echo one >> ledger' },
  });
  expect(callsOf(editor.updates).at(-1)).toMatch(/ completed$/);
  await editor.prompt(id, script({ text: 'again' }));
  expect(editor.text()).toBe('doneagain');
  expect(editor.updates.filter((each) => each.sessionUpdate === 'user_message_chunk')).toEqual([]);
  expect(readFileSync(join(editor.cwd, 'ledger'), 'utf8')).toBe('one\n');
});

test('a loaded session shows its conversation, and a session that was never used is removed', async () => {
  await using editor = await openEditor(world, 'bob', [...SCRIPTED, '--no-gate']);
  const id = await editor.newSession();
  const unused = await editor.newSession();
  await editor.prompt(id, script({ text: 'hello' }));
  await editor[Symbol.asyncDispose]();
  await expect(world.client.show(unused)).rejects.toMatchObject({ code: 'session_not_found' });
  await using later = await openEditor(world, 'bob', [...SCRIPTED, '--no-gate']);
  const { sessions } = await later.agent.request('session/list', { cwd: editor.cwd });
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([id]);
  await later.agent.request('session/load', { sessionId: id, cwd: editor.cwd, mcpServers: [] });
  expect(later.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'user_message_chunk',
    'agent_message_chunk',
  ]);
  expect(later.text()).toBe('hello');
  await later.prompt(id, script({ text: 'more' }));
  expect(later.text()).toBe('hellomore');
  // A resumed session shows nothing that the editor has.
  await using third = await openEditor(world, 'bob', ['--session', id]);
  await third.agent.request('session/resume', { sessionId: id, cwd: editor.cwd });
  await third.prompt(id, script({ text: 'third' }));
  expect(third.text()).toBe('third');
});

test('the first answer counts, and the other side sees it', async () => {
  await using editor = await openEditor(world, 'cleo', SCRIPTED);
  const id = await editor.newSession();
  const steps = [bash('echo a >> ledger'), bash('echo b >> ledger'), bash('echo c >> ledger'), { text: 'end' }];
  const answered = editor.prompt(id, script(...steps));
  const first = await editor.dialog(0);
  expect(first.request).toMatchObject({ sessionId: id, toolCall: { kind: 'execute', status: 'pending' } });
  expect(first.request.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
  first.answer('allow');
  const second = await editor.dialog(1);
  expect((await world.cli(['deny', id, '--why', 'not this'])).status).toBe(0);
  await eventually(() => second.isGone, { what: 'the end of the dialog' });
  const third = await editor.dialog(2);
  third.answer('allow');
  expect(await answered).toMatchObject({ stopReason: 'end_turn' });
  expect(readFileSync(join(editor.cwd, 'ledger'), 'utf8')).toBe('a\nc\n');
  const rows = (await world.cli(['audit', '--session', id])).stdout;
  expect(rows).toMatch(/allowed Bash \w+ by cleo/);
  const states = callsOf(editor.updates).map((each) => each.split(' ')[1]);
  expect(states.filter((state) => state === 'completed')).toHaveLength(2);
  expect(states).toContain('failed');
});

test('a cancelled turn ends, and its question is withdrawn', async () => {
  await using editor = await openEditor(world, 'dora', SCRIPTED);
  const id = await editor.newSession();
  const answered = editor.prompt(id, script(bash('echo no >> ledger'), { text: 'end' }));
  const dialog = await editor.dialog(0);
  await editor.agent.notify('session/cancel', { sessionId: id });
  expect(await answered).toMatchObject({ stopReason: 'cancelled' });
  await eventually(() => dialog.isGone, { what: 'the end of the dialog' });
  expect(existsSync(join(editor.cwd, 'ledger'))).toBe(false);
  const next = editor.prompt(id, script({ text: 'still here' }));
  expect(await next).toMatchObject({ stopReason: 'end_turn' });
});

test('a prompt that waits behind the turn of somebody else is taken back, and that turn goes on', async () => {
  await using editor = await openEditor(world, 'dirk', [...SCRIPTED, '--no-gate']);
  const id = await editor.newSession();
  const go = join(editor.cwd, 'go');
  const theirs = await world.client.prompt({
    session: id,
    text: script(bash(`until [ -e '${go}' ]; do sleep 0.02; done`), { text: 'theirs' }),
  });
  await world.client.wait({ session: id, for: 'event:prompt.accepted', after: 0, timeoutMs: 30_000 });
  const answered = editor.prompt(id, script({ text: 'mine' }));
  const isQueued = async () => (await world.client.show(id)).session.prompts.length === 2;
  await eventually(isQueued, { what: 'a queued prompt' });
  await editor.agent.notify('session/cancel', { sessionId: id });
  expect(await answered).toMatchObject({ stopReason: 'cancelled' });
  writeFileSync(go, '');
  expect(await world.client.reply({ session: id, prompt: theirs.prompt })).toMatchObject({ met: 'answered' });
  // The editor sees the turn of somebody else, too, with its prompt.
  await eventually(() => editor.text() === 'theirs', { what: 'the other reply' });
  expect(editor.updates.map(({ sessionUpdate }) => sessionUpdate)).toContain('user_message_chunk');
});

test('an editor that dies in a turn finds it again, is asked again, and gives its prompt once', async () => {
  const editor = await openEditor(world, 'eve', SCRIPTED);
  const id = await editor.newSession();
  const text = script(bash('echo a >> ledger'), { text: 'the end' });
  editor.prompt(id, text).catch(() => {});
  await editor.dialog(0);
  await editor.kill();
  await using later = await openEditor(world, 'eve', SCRIPTED);
  await later.agent.request('session/load', { sessionId: id, cwd: editor.cwd, mcpServers: [] });
  const asked = await later.dialog(0);
  const answered = later.prompt(id, text);
  asked.answer('allow');
  expect(await answered).toMatchObject({ stopReason: 'end_turn' });
  expect(later.text()).toBe('the end');
  expect((await world.events(id)).filter((event) => event === 'prompt.queued')).toHaveLength(1);
  expect(readFileSync(join(editor.cwd, 'ledger'), 'utf8')).toBe('a\n');
});

test('a daemon that is killed in a turn costs nothing but time', async () => {
  await using editor = await openEditor(world, 'finn', [...SCRIPTED, '--no-gate']);
  const id = await editor.newSession();
  const go = join(editor.cwd, 'go');
  const wait = `echo a >> ledger; until [ -e '${go}' ]; do sleep 0.02; done`;
  const answered = editor.prompt(id, script(bash(wait), { text: 'last' }));
  await eventually(() => callsOf(editor.updates).length > 0, { what: 'the call' });
  // The editor's side starts the next one.
  await world.kill();
  writeFileSync(go, '');
  expect(await answered).toMatchObject({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('last');
  expect(readFileSync(join(editor.cwd, 'ledger'), 'utf8')).toBe('a\n');
});

test('what cannot be done is refused with what to do instead', async () => {
  await using editor = await openEditor(world, 'gus', [...SCRIPTED, '--no-gate']);
  const load = editor.agent.request('session/load', { sessionId: 'nothing', cwd: editor.cwd, mcpServers: [] });
  await expect(load).rejects.toMatchObject({ code: -32002, message: expect.stringContaining('outlast list') });
  const sessionId = await editor.newSession();
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
  const sent = editor.agent.request('session/prompt', { sessionId, prompt: [image] });
  await expect(sent).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('use PNG') });
  const elsewhere = editor.agent.request('session/new', { cwd: '/nonexistent', mcpServers: [] });
  await expect(elsewhere).rejects.toMatchObject({ code: -32602 });
  expect(textOf(editor.updates)).toBe('');
});
