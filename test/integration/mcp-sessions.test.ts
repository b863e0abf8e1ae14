import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { storyOf } from '../e2e/spawning.ts';
import { eventually } from '../eventually.ts';
import { ERAS, mcpWorld } from '../mcp-world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

const it = await mcpWorld();
const caller = await it.caller();
afterAll(() => it[Symbol.asyncDispose]());

async function commandOf(name: string) {
  const { sessions } = await it.world.client.list({ limit: 1000 });
  return sessions.find((each) => each.name === name);
}

test('an agent is started, prompted, waited for, read and stopped', async () => {
  const started = await caller.call('session_start', { agent: 'scripted', name: 'dev', prompt: 'make a plan' });
  expect(started.text).toMatch(/^Warning: scripted runs without asking/);
  expect(started.text).toMatch(/\nStarted session \w+ \(dev\)\.\nIts reply: session_wait session=dev for=reply:/);
  const first = await caller.call('session_wait', { session: 'dev', for: `reply:${started.details.prompt}` });
  expect(first.text).toContain('You said: make a plan');
  const second = await caller.call('session_converse', { session: 'dev', text: 'now do it' });
  expect(second.text).toMatch(/^<data from="dev" mark="\w+">\nYou said: now do it\n<\/data mark="\w+">$/);
  const given = await caller.call('session_prompt', { session: 'dev', text: 'and again' });
  expect(given.text).toContain(`session_wait session=dev for=reply:${given.details.prompt}`);
  await caller.call('session_wait', { session: 'dev', for: 'reply' });
  const turn = await caller.call('session_turn', { session: 'dev', number: 2 });
  expect(turn.text).toMatch(/^Turn 2 of 3\.\n<data from="dev"/);
  expect(turn.text).toContain('now do it');
  expect((await caller.call('session_wait', { session: 'dev' })).text).toBe('dev: idle');
  expect((await caller.call('session_list', { state: 'live' })).text).toContain('(dev)  idle');
  expect((await caller.call('session_stop', { session: 'dev' })).text).toBe('dev: stopped by mcp');
});

test('a prompt given twice with the same key is one prompt', async () => {
  await caller.call('session_start', { agent: 'scripted', name: 'once' });
  const ask = () => caller.call('session_prompt', { session: 'once', text: 'hello', key: 'k-1' });
  expect((await ask()).details.prompt).toBe((await ask()).details.prompt);
  await caller.call('session_stop', { session: 'once' });
});

test('a wait that times out says what the state is and how to continue', async () => {
  await caller.call('exec', { command: 'echo up; sleep 600', name: 'slow', background: true });
  const { text, isError } = await caller.call('session_wait', { session: 'slow', timeoutMs: 50 });
  expect(text).toMatch(
    /^Not yet: timeout; slow is working and keeps running\. Wait again: session_wait session=slow for=exit/,
  );
  expect(isError).toBe(false);
  const seen = await caller.call('session_wait', { session: 'slow', for: 'text:u.', since: 0 });
  expect(seen.text).toMatch(/mark="\w+">\nup\n/);
  await caller.call('process', { action: 'kill', sessionId: 'slow' });
});

test('an agent inside a session spawns another, which it owns; no other caller can spawn', async () => {
  const outside = await caller.call('session_spawn', { agent: 'scripted', prompt: 'x' });
  expect(outside).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^spawn_refused: .*only inside an Outlast session/),
  });
  const { details } = await caller.call('session_start', { agent: 'scripted', name: 'boss' });
  const inside = await it.caller([], {}, { OUTLAST_RUN: `${details.session}.1` });
  const spawned = await inside.call('session_spawn', { agent: 'scripted', name: 'kid', prompt: 'hello' });
  expect(spawned.text).toMatch(
    /^Warning: .*\nStarted session \w+ \(kid\)\.\nYou get an update when it ends.*do not poll/,
  );
  expect((await inside.call('session_list', { mine: true })).details.sessions).toMatchObject([{ name: 'kid' }]);
  expect((await caller.call('session_list', { mine: true })).text).toContain('mine works only inside');
  const { session } = await it.world.client.show('kid');
  expect(session.owner).toMatchObject({ session: details.session, wake: true, onEnd: 'stop' });
  const stranger = await inside.call('session_stop', { session: 'dev' });
  expect(stranger.text).toMatch(/^owner_refused: dev is not a session that boss started/);
  const wrong = await inside.call('session_spawn', { agent: 'scripted', prompt: 'x', onEnd: 'never' });
  expect(wrong.isError).toBe(true);
  await caller.call('session_stop', { session: 'boss' });
});

test('an agent gets no update about what it has read itself', async () => {
  const { details } = await caller.call('session_start', { agent: 'scripted', name: 'reader' });
  const id = String(details.session);
  const inside = await it.caller([], {}, { OUTLAST_RUN: `${id}.1` });
  // It gets no update meanwhile.
  await it.world.client.handoff({ session: id });
  const started = await inside.call('exec', { command: 'echo bye', background: true });
  const sessionId = String(started.details.sessionId);
  await eventually(async () => (await it.world.events(id)).includes('update.queued'), { what: 'an update' });
  const polled = await inside.call('process', { action: 'poll', sessionId });
  expect(polled.text).toMatch(/bye\n[\s\S]*Process exited with code 0/);
  await it.world.client.handoff({ session: id, back: true });
  const reply = await caller.call('session_converse', { session: 'reader', text: 'hello' });
  expect(reply.text).toMatch(/\nYou said: hello\n/);
  expect((await it.world.events(id)).filter((type) => type.startsWith('update.'))).toEqual([
    'update.queued',
    'update.read',
  ]);
  await caller.call('session_stop', { session: 'reader' });
});

test('a spawn with the argument names of OpenClaw is the same spawn', async () => {
  const { details } = await caller.call('session_start', { agent: 'scripted', name: 'claw' });
  it.world.env.OUTLAST_RUN = `${details.session}.1`;
  const inside = await it.caller();
  delete it.world.env.OUTLAST_RUN;
  const words = { agentId: 'Scripted', model: 'opus', thinking: 'High', cleanup: 'keep' };
  const timed = { ...words, task: 'count', label: 'Count: the Files!', runTimeoutSeconds: 90.7 };
  const spawned = await inside.call('session_spawn', timed);
  const { session: id } = spawned.details;
  expect(spawned.details).toMatchObject({ status: 'accepted', childSessionKey: id, name: 'count-the-files' });
  const { session, policy } = await it.world.client.show(String(id));
  expect(session).toMatchObject({ agent: 'scripted', model: 'claude-opus-4-6', thinking: 'high' });
  expect(session.owner).toMatchObject({ session: details.session });
  expect(policy.deadlineMsMax).toBe(90_000);
  const endless = await inside.call('session_spawn', { task: 'x', agentId: 'scripted', timeoutSeconds: 0 });
  expect((await it.world.client.show(String(endless.details.session))).policy.deadlineMsMax).toBeNull();
  const both = await inside.call('session_spawn', { task: 'x', prompt: 'y' });
  expect(both.text).toContain('prompt and task are the same; pass one of them');
  expect((await inside.call('session_spawn', { label: 'x' })).text).toContain('prompt is missing');
  const deep = await inside.call('session_spawn', { ...words, task: 'x', thinking: 'hard' });
  expect(deep.text).toContain('there is no thinking level "hard"; use one of: off, minimal, low');
  // Not of its run: processes of that run end with it.
  it.world.env.OUTLAST_RUN = `${id}.99`;
  const below = await it.caller();
  delete it.world.env.OUTLAST_RUN;
  for (const tool of ['session_spawn', 'session_start'])
    expect((await below.call(tool, { agent: 'scripted', prompt: 'x' })).text).toMatch(
      /^spawn_refused: .*depth: 1, max: 1/,
    );
  await caller.call('session_stop', { session: 'claw' });
});

test('a caller that asks for it gets the progress of a wait', async () => {
  const progressSeen: number[] = [];
  const params = { name: 'exec', arguments: { command: 'sleep 600', name: 'long', yieldMs: 200 } };
  await caller.client.callTool(params, { onprogress: ({ progress }) => progressSeen.push(progress) });
  expect(progressSeen).toEqual([0]);
  const wait = { name: 'session_wait', arguments: { session: 'long', timeoutMs: 3_600_000 } };
  const waited = caller.client.callTool(wait, { onprogress: ({ progress }) => progressSeen.push(progress) });
  await eventually(() => progressSeen.length === 3, { what: 'the second progress report of a wait' });
  expect(progressSeen.slice(1)).toEqual([0, 5]);
  await caller.call('process', { action: 'kill', sessionId: 'long' });
  await waited;
});

test('keys are for commands; typing into an agent needs the admin grant', async () => {
  await caller.call('session_start', { agent: 'scripted', name: 'shy' });
  const { text, isError } = await caller.call('process', { action: 'send-keys', sessionId: 'shy', keys: ['Enter'] });
  expect(isError).toBe(true);
  expect(text).toContain('shy is an agent session: use session_prompt; typing into it needs the grant admin');
  await caller.call('session_stop', { session: 'shy' });
});

test('T-CLAW-8 a cancelled call leaves its command in the background', async () => {
  const cancelling = new AbortController();
  const call = caller.call('exec', { command: 'sleep 600', name: 'unwanted' }, { signal: cancelling.signal });
  call.catch(() => {});
  await eventually(async () => (await commandOf('unwanted'))?.phase === 'working');
  cancelling.abort();
  await expect(call).rejects.toThrow();
  await eventually(async () => (await commandOf('unwanted'))?.background === true);
  expect((await commandOf('unwanted'))?.phase).toBe('working');
  expect((await caller.call('process', { action: 'list' })).text).toContain('(unwanted) running');
  await caller.call('process', { action: 'kill', sessionId: 'unwanted' });
});

test('T-CLAW-10 title, timeoutSeconds, host auto, and sessionId everywhere, are accepted', async () => {
  const words = { title: 'say it', timeoutSeconds: 30, host: 'auto', command: 'echo said' };
  expect(await caller.call('exec', words)).toMatchObject({ isError: false, text: expect.stringContaining('said') });
  await caller.call('session_start', { agent: 'scripted', name: 'known' });
  const asked = await caller.call('session_converse', { sessionId: 'known', text: 'hello' });
  expect(asked.text).toContain('You said: hello');
  const two = await caller.call('session_wait', { session: 'known', sessionId: 'other' });
  expect(two).toMatchObject({ isError: true, text: expect.stringContaining('name two sessions') });
  const none = await caller.call('session_stop', {});
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('session is missing') });
  const { tools } = await caller.client.listTools();
  const schemas = tools.filter(({ inputSchema }) => 'session' in (inputSchema.properties ?? {}));
  expect(schemas.length).toBeGreaterThan(5);
  for (const { inputSchema } of schemas) {
    expect(Object.keys(inputSchema.properties ?? {})).toContain('sessionId');
    expect(inputSchema.required ?? []).not.toContain('session');
  }
  await caller.call('session_stop', { sessionId: 'known' });
});

test('a command keeps running when its caller dies in the wait for it, and so do other sessions', async () => {
  const mine = await it.caller();
  const call = mine.call('exec', { command: 'sleep 600', name: 'survivor', yieldMs: 120_000 });
  const wait = mine.call('session_wait', { session: 'survivor', timeoutMs: 3_600_000 });
  for (const each of [call, wait]) each.catch(() => {});
  await eventually(async () => (await commandOf('survivor'))?.phase === 'working');
  process.kill(mine.pid, 'SIGKILL');
  await eventually(async () => (await commandOf('survivor'))?.background === true);
  expect((await commandOf('survivor'))?.phase).toBe('working');
  await caller.call('process', { action: 'kill', sessionId: 'survivor' });
});

test('an agent answers when its caller dies in the wait for its reply, and is prompted once', async () => {
  const mine = await it.caller();
  const slow = storyOf([{ text: 'at last', delayMs: 1_000 }]);
  await mine.call('session_start', { agent: 'scripted', name: 'asked' });
  const call = mine.call('session_converse', { session: 'asked', text: slow });
  call.catch(() => {});
  await eventually(async () => (await it.world.events('asked')).includes('prompt.accepted'));
  process.kill(mine.pid, 'SIGKILL');
  const again = await it.caller();
  expect((await again.call('session_wait', { session: 'asked', for: 'reply' })).text).toContain('\nat last\n');
  expect((await it.world.events('asked')).filter((type) => type === 'prompt.queued')).toHaveLength(1);
  await again.call('session_stop', { session: 'asked' });
});

test('the server exits with its caller', async () => {
  const mine = await it.caller();
  const { pid } = mine;
  await mine.client.close();
  await eventually(() => isGone(pid));
});

test('a caller that never reads cannot make the server grow, nor keep others waiting', async () => {
  await caller.call('exec', { command: 'seq 1 4000' });
  const server = spawn(process.execPath, [BIN, 'mcp'], { env: it.world.env, cwd: tmpdir(), stdio: 'pipe' });
  try {
    const say = (message: object): void =>
      void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } };
    say({ id: 0, method: 'initialize', params: about });
    say({ method: 'notifications/initialized' });
    server.stdin.on('error', () => {});
    // 200 MB of answers, if they were read.
    for (let id = 1; id <= 20_000; id += 1) say({ id, method: 'tools/list' });
    let [ticks, still] = [0, 0];
    await eventually(async () => {
      expect((await caller.call('exec', { command: 'echo fine' })).text).toContain('fine');
      const now = ticksOf(server.pid ?? 0);
      still = now === ticks ? still + 1 : 0;
      ticks = now;
      return still >= 5;
    });
    expect(server.stdin.writableLength).toBeGreaterThan(0);
    expect(memoryMb(server.pid ?? 0)).toBeLessThan(200);
  } finally {
    server.kill('SIGKILL');
  }
});

test('more concurrent calls than the limit are refused, and the others are answered', async () => {
  const mine = await it.caller();
  await mine.call('exec', { command: 'sleep 600', name: 'awaited', background: true });
  const wait = () =>
    mine.call('session_wait', { session: 'awaited', timeoutMs: 3_600_000 }, { signal: cancelling.signal });
  const cancelling = new AbortController();
  const waits = Array.from({ length: 70 }, wait);
  for (const each of waits) each.catch(() => {});
  const refused = await Promise.race(waits);
  expect(refused.text).toMatch(/^session_wait: 64 calls of this connection are still open/);
  expect((await caller.call('exec', { command: 'echo fine' })).text).toContain('fine');
  await caller.call('process', { action: 'kill', sessionId: 'awaited' });
  expect((await waits[0])?.text).toContain('awaited: stopped by mcp');
  cancelling.abort();
});

test.each(ERAS)(
  'a caller of %s gets an update when a session, its turns or its output change',
  async (_version, how) => {
    const mine = await it.caller([], how);
    const { details } = await mine.call('exec', { command: 'read x; echo said', pty: true, yieldMs: 50 });
    const uri = `outlast://sessions/${details.sessionId}`;
    const changed: string[] = [];
    mine.client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void changed.push(params.uri),
    );
    const uris = [uri, `${uri}/output`, 'outlast://sessions'];
    if (_version === '2025-11-25') for (const each of uris) await mine.client.subscribeResource({ uri: each });
    else await mine.client.listen({ resourceSubscriptions: uris });
    await mine.call('process', { action: 'submit', sessionId: details.sessionId });
    await eventually(() => uris.every((each) => changed.includes(each)));
    const output = async (): Promise<string> =>
      JSON.stringify((await mine.client.readResource({ uri: `${uri}/output` })).contents);
    await eventually(async () => (await output()).includes('said'));
    await eventually(async () => {
      const [shown] = (await mine.client.readResource({ uri })).contents as { text: string }[];
      return (JSON.parse(shown?.text ?? '{}') as { session: { phase: string } }).session.phase === 'ended';
    });
  },
);

test('resources are listed with their templates, and an invalid one is refused', async () => {
  const { resourceTemplates } = await caller.client.listResourceTemplates();
  expect(resourceTemplates.map(({ name }) => name)).toEqual(['session', 'turn', 'output']);
  const all = await caller.client.readResource({ uri: 'outlast://sessions' });
  expect(JSON.stringify(all.contents)).toContain('sessions');
  for (const uri of ['outlast://elsewhere', 'file:///etc/passwd', 'outlast://sessions/nobody'])
    await expect(caller.client.readResource({ uri })).rejects.toThrow(/no resource|nobody/);
});

function memoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** CPU time it has used so far. */
function ticksOf(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13);
  return Number(user) + Number(system);
}

function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

test('pending approvals are listed for every caller and decided by those with the grant', async () => {
  const decider = await it.caller(['--allow', 'read,approve']);
  const steps = [{ tool: 'Bash', input: { command: 'echo asked', description: 'x' } }, { text: 'thanks' }];
  const prompt = `go SCRIPT${JSON.stringify({ steps })}SCRIPT`;
  const gated = await it.world.client.start({ agent: 'scripted', name: 'gated', prompt, gate: { mode: 'gate' } });
  await gated.waitFor('approval', { timeoutMs: 20_000 });
  const listed = await caller.call('approval_list', { session: 'gated' });
  const [approval] = await it.world.client.approvals.list({ session: 'gated' });
  expect(listed.text).toContain(`${approval?.id} gated: Bash {"command":"echo asked"`);
  const { tools } = await caller.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('approval_decide');
  const given = await decider.call('approval_decide', { which: approval?.id, allow: true, why: 'go on' });
  expect(given.text).toBe(`Allowed: ${approval?.id} (Bash).`);
  expect((await gated.reply({ timeoutMs: 20_000 })).reply).toBe('thanks');
  const late = await decider.call('approval_decide', { which: approval?.id, allow: true });
  expect([late.isError, late.text]).toEqual([true, expect.stringContaining('was already allowed by mcp')]);
  expect((await caller.call('approval_list', {})).text).toBe('No pending approvals.');
});

test('a scan of the conversations of this machine says how many were interrupted', async () => {
  expect((await caller.call('boot_scan', {})).text).toMatch(/^\d+ of \d+ conversations were interrupted\./);
});
