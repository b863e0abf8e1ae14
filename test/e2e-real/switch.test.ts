import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { type ModelProxy, openModelProxy } from '../agents/model-proxy.ts';
import { openStage } from '../agents/stage.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { eventually } from '../eventually.ts';
import { shellBlock } from '../pages/page.ts';

// A session of real Claude Code that meets its limit is carried on by real Codex, and comes back.

const test = alone.concurrent;
const isHere = (CLAUDE_NEWEST.isHere() && agentIsHere('0.169.0', 'codex')) || process.env.CI === 'true';
const WAIT_MS = 60_000;
const HOUR_MS = 3_600_000;

/** What the model plays instead of the scripts in the prompt: it has read the hand-over, which a script cannot. */
function playing(proxy: ModelProxy, script: string): void {
  proxy.rewrite = (body) => {
    const parts = body.split(/SCRIPT\{.*?\}SCRIPT/);
    const escaped = JSON.stringify(script.replace(/^go /, '')).slice(1, -1);
    return parts.length === 1 ? body : `${parts.slice(0, -1).join('a script')}${escaped}${parts.at(-1)}`;
  };
}

/** Claude Code at its limit after the first of two commands, and Codex beside it. */
async function openTask() {
  const claude = await openStage(CLAUDE_NEWEST, { config: { policy: { backoff: { msMin: 0 } } } });
  const codex = await openStage(CODEX_0_169);
  const claudeModel = await openModelProxy(claude);
  const codexModel = await openModelProxy(codex);
  const limit = { is: 'limited', untilMs: Date.now() + HOUR_MS, window: 'five-hour' } as const;
  // Its first command was run: the next request has the result.
  claudeModel.refusalFor = ({ messages }) => (messages.includes('tool_result') ? CLAUDE_NEWEST.refusal(limit) : null);
  playing(codexModel, codex.script({ run: 'echo two >> ledger' }, { say: 'all done' }));
  const own = CLAUDE_NEWEST.subscribed(claudeModel.env);
  const { CODEX_HOME = '' } = codexModel.env;
  const env = { ...own, CODEX_HOME, PATH: `${join(codex.root, 'bin')}:${own.PATH}` };
  const task = claude.script({ run: 'echo one >> ledger' }, { run: 'echo two >> ledger' }, { say: 'all done' });
  return {
    ...{ claude, codex, claudeModel, env, task },
    ledger: () => readFileSync(join(claude.workspace, 'ledger'), 'utf8'),
    async [Symbol.asyncDispose]() {
      for (const each of [claudeModel, codexModel, claude, codex]) await each[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!isHere)('changing agents', () => {
  test('a task that meets its limit is finished by another agent, once, and comes back', {
    timeout: 120_000,
  }, async () => {
    await using it = await openTask();
    // As the guide says it.
    const [atLimit = '', now = ''] = shellBlock('docs/guides/recovery.md', 'outlast start --on-limit switch').split(
      '\n',
    );
    const options = atLimit
      .replace(/ "port the tests".*$/, '')
      .split(' ')
      .slice(1);
    // Nothing of the account of the stage: it would not be at a limit.
    const own = Object.fromEntries(Object.keys(it.claude.env).map((name) => [name, undefined]));
    const started = await it.claude.cli([...options, it.task], { env: { ...own, ...it.env } });
    expect(started).toMatchObject({ status: 0 });
    const session = it.claude.world.client.session(started.stdout.trim());
    expect(await session.reply({ prompt: 'first', timeoutMs: WAIT_MS })).toMatchObject({
      met: 'answered',
      reply: 'all done',
    });
    expect(it.ledger()).toBe('one\ntwo\n');
    const [asked = ''] = it.codex.received();
    expect(asked).toContain('from claude, which hit its usage limit');
    expect(asked).toContain('echo one >> ledger');
    // Its reply is known before its process has ended.
    await session.waitFor('idle', { timeoutMs: WAIT_MS });
    expect((await session.show()).session).toMatchObject({ agent: 'codex', phase: 'idle' });
    // Back, in the first conversation.
    it.claudeModel.refusalFor = () => null;
    playing(it.claudeModel, it.claude.script({ run: 'echo three >> ledger' }, { say: 'back again' }));
    const back = now.replace('resume api', `resume ${session.id}`).replace('codex', 'claude').split(/ +/);
    expect(await it.claude.cli(back.slice(1, 5))).toMatchObject({ status: 0 });
    expect(await session.converse('SCRIPT{}SCRIPT', { timeoutMs: WAIT_MS })).toMatchObject({ reply: 'back again' });
    expect(it.ledger()).toBe('one\ntwo\nthree\n');
    const { markdown } = await session.report();
    expect(markdown).toContain('codex takes over from claude');
    expect(markdown).toContain('claude takes over from codex');
    const turns = await Promise.all([1, 2, 3].map((number) => session.turn({ number })));
    expect(turns.map(({ turn }) => turn.agent)).toEqual(['claude', 'codex', 'claude']);
    const counted = await it.claude.events(session.id, 'usage.counted');
    expect(counted.length).toBeGreaterThanOrEqual(2);
    const sums = counted.map(({ body }) => (body.usage as { tokens: number }).tokens);
    expect(sums).toEqual([...sums].sort((a, b) => a - b));
  });

  test('a gated session is switched to an agent that is proven to ask', { timeout: 120_000 }, async () => {
    await using it = await openTask();
    const policy = { onLimit: 'switch:codex' } as const;
    const gate = { mode: 'gate' as const, allow: ['Bash(echo one >> ledger)'] };
    const session = await it.claude.start({ env: it.env, policy, gate, prompt: it.task });
    const approval = await eventually(async () => (await session.approvals())[0], {
      what: 'the question of Codex',
      msMax: WAIT_MS,
    });
    expect((await session.show()).session).toMatchObject({ agent: 'codex', gate: 'gate' });
    expect(it.ledger()).toBe('one\n');
    await it.claude.world.client.approvals.decide(approval.id, true);
    expect(await session.reply({ prompt: 'first', timeoutMs: WAIT_MS })).toMatchObject({ reply: 'all done' });
    expect(it.ledger()).toBe('one\ntwo\n');
    expect(await it.claude.eventNames(session.id, 'approval.breached')).toEqual([]);
  });

  test('a daemon that is killed while agents change carries on', { timeout: 120_000 }, async () => {
    await using it = await openTask();
    const policy = { onLimit: 'switch:codex' } as const;
    const session = await it.claude.startLive({ env: it.env, policy });
    const { prompt } = await session.prompt(it.task);
    await it.claude.waitForEvent(session.id, 'session.switching');
    await it.claude.world.restart();
    expect(await session.reply({ prompt, timeoutMs: WAIT_MS })).toMatchObject({ met: 'answered', reply: 'all done' });
    expect(it.ledger()).toBe('one\ntwo\n');
    expect(await it.claude.eventNames(session.id, 'session.switched')).toHaveLength(1);
  });
});
