import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test as alone, describe, expect } from 'vitest';
import { agentFolder, agentIsHere } from '../../scripts/agents.ts';
import { turnByHand } from '../agents/foreign.ts';
import { openModelProxy } from '../agents/model-proxy.ts';
import { Person } from '../agents/person.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { CODEX_0_169, CODEX_0_169_SCREEN } from '../agents/under-test/codex.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { RESPONSES_API } from './responses-api.ts';

// What is special about Codex, with the real one.

/** Each has its own daemon and mostly waits. */
const test = alone.concurrent;
const isHere = agentIsHere('0.169.0', 'codex') || process.env.CI === 'true';

/** How the API reports one of the limits. */
function limitHeaders(which: string, percent: number, minutes: number, resetsAt: number): Record<string, string> {
  const values = { 'used-percent': percent, 'window-minutes': minutes, 'reset-at': resetsAt };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`x-codex-${which}-${name}`, String(value)]));
}

describe.skipIf(!isHere)('Codex', () => {
  test.each(['turns', 'live'] as const)('model and thinking level reach the API on every turn (%s)', async (drive) => {
    await using stage = await openStage(CODEX_0_169);
    const session = await stage.startDriven(drive, { model: 'luna', thinking: 'High' });
    for (const text of ['one', 'two']) {
      expect((await session.converse(text, { timeoutMs: 30_000 })).reply).toBe(`You said: ${text}`);
      const asked = stage.model?.requests().filter(({ prompt }) => prompt === text) ?? [];
      expect(asked.map(({ model, thinking }) => [model, thinking])).toEqual([['gpt-6-luna', 'high']]);
    }
  });

  test.each(['turns', 'live'] as const)('how much of its limits is used is seen with an answer (%s)', async (drive) => {
    await using stage = await openStage(CODEX_0_169);
    await using proxy = await openModelProxy(stage);
    const inHours = (hours: number): number => Math.floor(Date.now() / 1_000) + hours * 3_600;
    const [first, second] = [inHours(3), inHours(70)];
    proxy.headers = { ...limitHeaders('primary', 41, 300, first), ...limitHeaders('secondary', 7, 10_080, second) };
    const session = await stage.startDriven(drive, { env: stage.agent.subscribed(proxy.env) });
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    const seen = async () => (await stage.world.client.limits()).limits;
    await eventually(async () => (await seen()).length === 2, { what: 'both limits' });
    expect(await seen()).toMatchObject([
      { agent: 'codex', window: 'five_hour', usedPercent: 41, resetsAtMs: first * 1_000, session: session.id },
      { agent: 'codex', window: 'seven_day', usedPercent: 7, resetsAtMs: second * 1_000, session: session.id },
    ]);
  });

  const tooLong = 'a conversation that is too long is compacted by Codex itself, and the prompt is continued';
  test.each(['turns', 'live', 'on its screen'] as const)(`${tooLong} (%s)`, async (how) => {
    await using stage = await openStage(how === 'on its screen' ? CODEX_0_169_SCREEN : CODEX_0_169);
    await using proxy = await openModelProxy(stage);
    const session = await stage.startDriven(how === 'turns' ? 'turns' : 'live', { env: proxy.env });
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    let refusals = 1;
    proxy.refusalFor = () => {
      refusals -= 1;
      return refusals < 0 ? null : stage.agent.refusal({ is: 'too-long' });
    };
    const { prompt } = await session.prompt(stage.script({ say: 'short again' }));
    const replied = await session.reply({ prompt, timeoutMs: 60_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'short again']);
    expect(await stage.eventNames(session.id, 'remedy.begun', 'session.held')).toEqual(['remedy.begun']);
    expect(stage.transcripts().map((path) => readFileSync(path, 'utf8'))).toEqual([
      expect.stringContaining('"type":"compacted"'),
    ]);
  });

  test('show names the rollout, also of turns that do not say where it is', async () => {
    await using stage = await openStage(CODEX_0_169);
    const session = await stage.start();
    expect((await session.show()).session.transcript).toBe(null);
    await session.converse('hello', { timeoutMs: 30_000 });
    const { conversation, transcript } = (await session.show()).session;
    expect([transcript]).toEqual(stage.transcripts(conversation));
  });

  test('a model whose tools are called by scripts asks about each command behind a gate', async () => {
    await using stage = await openStage(CODEX_0_169);
    const gate = { mode: 'gate' as const, allow: ['Bash(echo yes >> made)'], deny: ['Bash(echo no >> made)'] };
    const session = await stage.startLive({ model: 'sol', gate });
    const text = stage.script({ run: 'echo no >> made' }, { run: 'echo yes >> made' }, { say: 'bye' });
    expect(await session.converse(text, { timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'bye' });
    expect(readFileSync(join(stage.workspace, 'made'), 'utf8')).toBe('yes\n');
    const decided = await stage.events(session.id, 'approval.decided');
    expect(decided.map(({ body }) => body.allow)).toEqual([false, true]);
    expect(await stage.eventNames(session.id, 'approval.breached')).toEqual([]);
  });

  test('behind a gate there is nothing that it does without a question', async () => {
    await using stage = await openStage(CODEX_0_169);
    const shell = { tool: 'exec_command', input: { cmd: 'bash --norc', tty: true } };
    const session = await stage.startLive({ gate: { mode: 'gate', allow: ['Bash(bash --norc)'] } });
    expect(await session.converse(script(shell, { text: 'bye' }), { timeoutMs: 60_000 })).toMatchObject({
      reply: 'bye',
    });
    const [first] = stage.model?.requests() ?? [];
    expect(first?.tools).toContain('exec_command');
    // A picture is read and the web is searched without asking, and so is what is typed into a running shell.
    expect(first?.tools).not.toContain('view_image');
    expect(first?.tools).not.toContain('web_search');
    const transcripts = stage.transcripts().map((path) => readFileSync(path, 'utf8'));
    expect(transcripts.join('')).toContain('TTY execution is disabled by config');
  });

  test('the script of its npm package is not started: a killed agent is gone, and its turn is continued', async () => {
    await using stage = await openStage(CODEX_0_169);
    const program = join(stage.root, 'bin/codex');
    rmSync(program);
    symlinkSync(join(agentFolder('codex-0.169.0'), 'node_modules/@openai/codex/bin/codex.js'), program);
    const go = join(stage.root, 'go');
    const session = await stage.start();
    const { prompt } = await session.prompt(stage.untilFile(go, 'in the end'));
    await stage.waitForEvent(session.id, 'tool.called');
    const { pid } = (await session.show()).session;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/\/vendor\/[^/]+\/bin\/codex\0exec\0/);
    kill(pid);
    writeFileSync(go, '');
    const replied = await session.reply({ prompt, timeoutMs: 40_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(/in the end|done/)]);
    const { stdout } = await stage.cli(['agents']);
    expect(stdout).toMatch(/codex/);
  });

  test('a person attaches to its server: both see every turn, prompts do not wait, and it stays', async () => {
    await using stage = await openStage(CODEX_0_169);
    // For older models its screen begins with an advertisement.
    const settings = join(stage.config, 'config.toml');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('gpt-5.5', 'gpt-6.1-sol'));
    const session = await stage.startLive({ name: 'api' });
    const early = await stage.cli(['attach', 'api']);
    expect([early.status, early.stderr]).toEqual([2, expect.stringContaining('terminal')]);
    const refused = stage.world.client.call('session.attach', { session: session.id, readOnly: false });
    await expect(refused).rejects.toThrow('only after its first prompt');
    expect((await session.converse('first', { timeoutMs: 30_000 })).reply).toBe('You said: first');
    await using person = new Person(stage, 'attach', 'api');
    await person.waitForText('You said: first');
    expect((await session.converse('second', { timeoutMs: 30_000 })).reply).toBe('You said: second');
    await person.waitForText('You said: second');
    person.type('third');
    await person.waitForText('third');
    person.type('\r');
    await person.waitForText('You said: third');
    await stage.expectReceived(['first', 'second', 'third']);
    person.type('/quit');
    await person.waitForText('/quit');
    person.type('\r');
    expect(await person.waitForExit()).toBe(0);
    expect((await session.converse('fourth', { timeoutMs: 30_000 })).reply).toBe('You said: fourth');
    expect((await session.show()).session.run).toBe(1);
  });

  test('a login that a gated run refreshes is refreshed for its person too, who finds the conversation', async () => {
    await using stage = await openStage(CODEX_0_169);
    await using login = await startLogin();
    const home = stage.config;
    writeFileSync(join(home, 'config.toml'), loginSettings(login.url));
    const before = readFileSync(join(home, 'config.toml'), 'utf8');
    writeFileSync(join(home, 'auth.json'), JSON.stringify(login.tokens('old', -10)), { mode: 0o600 });
    const env = { ...stage.env, CODEX_REFRESH_TOKEN_URL_OVERRIDE: `${login.url}/oauth/token` };
    const names = { envNames: ['CODEX_REFRESH_TOKEN_URL_OVERRIDE'] };
    const session = await stage.startLive({ env, ...names, gate: { mode: 'gate' } });
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    const token = (): string => JSON.parse(readFileSync(join(home, 'auth.json'), 'utf8')).tokens.refresh_token;
    expect([token(), login.refreshes()]).toEqual(['refresh-1', 1]);
    expect(lstatSync(join(home, 'auth.json')).isSymbolicLink()).toBe(false);
    const { conversation } = (await session.show()).session;
    await session.stop();
    await stage.world.client.session(session.id).remove();
    // The person's own Codex refreshes it again, and continues the conversation of the removed session.
    writeFileSync(join(home, 'auth.json'), JSON.stringify(login.tokens('older', -10)), { mode: 0o600 });
    turnByHand(stage, { is: 'resume', id: conversation ?? '' }, 'and again', env);
    await eventually(() => stage.received(conversation).length === 2, { what: 'the second prompt', msMax: 30_000 });
    expect(token()).toBe('refresh-2');
    expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(before);
  });
});

function loginSettings(url: string): string {
  return [
    'model = "gpt-5.5"',
    'model_provider = "scripted"',
    'check_for_update_on_startup = false',
    'cli_auth_credentials_store = "file"',
    `chatgpt_base_url = "${url}/backend-api"`,
    '[analytics]',
    'enabled = false',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'requires_openai_auth = true',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    '',
  ].join('\n');
}

/** An account whose tokens expire and are replaced at every refresh, and a model that echoes. */
async function startLogin() {
  let refreshes = 0;
  const jwt = (name: string, seconds: number): string => {
    const account = { chatgpt_account_id: 'a', chatgpt_plan_type: 'pro', chatgpt_user_id: 'u' };
    const claims = { exp: Math.floor(Date.now() / 1_000) + seconds, jti: name, 'https://api.openai.com/auth': account };
    return [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  };
  const signed = (name: string, seconds: number): string => `${jwt(name, seconds)}.c2ln`;
  const pair = (name: string, seconds: number) => ({
    id_token: signed(`id ${name}`, seconds),
    access_token: signed(`access ${name}`, seconds),
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.includes('/oauth/token')) {
        refreshes += 1;
        const fresh = { ...pair(String(refreshes), 3_600), refresh_token: `refresh-${refreshes}` };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fresh));
        return;
      }
      if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
        response.writeHead(404).end('{}');
        return;
      }
      const asked = RESPONSES_API.read(JSON.parse(Buffer.concat(chunks).toString()), request.headers);
      const last = asked.messages.findLast(({ role, content }) => role === 'user' && content.length > 0);
      const text = typeof last?.content === 'string' ? last.content : (last?.content[0]?.text ?? '');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of RESPONSES_API.events({ text: `You said: ${text}` }, asked))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refreshes: () => refreshes,
    tokens: (name: string, seconds: number) => ({
      auth_mode: 'chatgpt',
      tokens: { ...pair(name, seconds), refresh_token: `refresh ${name}`, account_id: 'a' },
      last_refresh: '2026-01-01T00:00:00Z',
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
