import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as alone, describe, expect } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { Session } from '../../src/client/index.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { OPENCODE_1_18 } from '../agents/under-test/opencode.ts';
import { eventually } from '../eventually.ts';

// A real Claude Code leads Codex and OpenCode: one gate, one budget, and the reply of one goes to the other.

const test = alone.concurrent;
const areHere = CLAUDE_NEWEST.isHere() && agentIsHere('0.169.0', 'codex') && agentIsHere('1.18.33', 'opencode');
const isHere = areHere || process.env.CI === 'true';
const WAIT_MS = 90_000;

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const script = (steps: object[], woken: object[] = []): string => `Go. SCRIPT${JSON.stringify({ steps, woken })}SCRIPT`;

/** The prompt of the owner, at most three updates that wake it, and a turn of each child. */
const BUDGET = { turns: 6 };
const SPENT = 'the tree of owner has used up its budget of 6 turns';

/** Claude Code with Codex and OpenCode beside it: they are on its path, and it passes their settings on. */
async function openTree() {
  const claude = await openStage(CLAUDE_NEWEST, { config: { spawn: { budget: BUDGET } } });
  const codex = await openStage(CODEX_0_169);
  const opencode = await openStage(OPENCODE_1_18);
  const all = [claude, codex, opencode];
  const path = all.map(({ root }) => join(root, 'bin')).join(':');
  const env = { ...codex.env, ...opencode.env, ...claude.env, PATH: `${path}:${claude.env.PATH}` };
  return {
    ...{ claude, codex, opencode, env },
    envNames: Object.keys(env).filter((name) => /^(CODEX|OPENCODE)_/.test(name)),
    ledger: () => readFileSync(join(claude.workspace, 'ledger'), 'utf8'),
    async [Symbol.asyncDispose]() {
      for (const each of all) await each[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the owner is idle and its transcript has these texts: in a prompt, or with the result of a call. */
async function seenBy(stage: Stage, owner: Session, ...texts: readonly string[]): Promise<void> {
  await eventually(
    async () => {
      const { phase, prompts } = (await owner.show()).session;
      if (phase !== 'idle' || prompts.length > 0) return false;
      const all = stage.transcripts().map((path) => readFileSync(path, 'utf8'));
      return texts.every((text) => all.join().includes(text));
    },
    { what: `a transcript of the owner with ${texts.join(' and ')}`, msMax: WAIT_MS },
  );
}

describe.skipIf(!isHere)('a tree of three agents', () => {
  test('Claude Code leads Codex and OpenCode behind one gate and within one budget', { timeout: 240_000 }, async () => {
    await using it = await openTree();
    const { claude, codex, opencode, env, envNames } = it;
    const { client } = claude.world;
    const plans = codex.script({ run: 'echo planned >> ledger' }, { say: 'paint it green' });
    writeFileSync(join(claude.workspace, 'plan.md'), plans);
    const builds = opencode.script({ run: 'echo built >> ledger' }, { say: 'it is green' });
    writeFileSync(join(claude.workspace, 'build.md'), `The plan: {{plan.reply}}. ${builds}`);
    const steps = [
      bash('outlast spawn --live --agent codex --name plan --prompt-file plan.md'),
      bash('outlast spawn --live --agent opencode --name build --after plan --prompt-file build.md'),
      { text: 'Both are on their way.' },
    ];
    // The children have the rules of their owner: the call of OpenCode is allowed, and that of Codex is asked about.
    const allow = ['Bash(outlast spawn *)', 'Bash(echo built >> ledger)'];
    const prompt = script(steps, [{ text: 'I see.' }]);
    const owner = await claude.start({ name: 'owner', env, envNames, gate: { mode: 'gate', allow }, prompt });
    const approval = await eventually(async () => (await client.approvals.list({}))[0], {
      what: 'the question of Codex',
      msMax: WAIT_MS,
    });
    expect(approval).toMatchObject({ name: 'plan', input: { command: 'echo planned >> ledger' } });
    await seenBy(claude, owner, `outlast approve ${approval.id}`);
    await client.approvals.decide(approval.id, true, { by: 'ann' });

    await seenBy(claude, owner, 'paint it green', 'it is green');
    const plan = (await client.show('plan')).session;
    const build = (await client.show('build')).session;
    const below = { phase: 'ended', gate: 'gate', owner: { session: owner.id, depth: 1 } };
    expect(plan).toMatchObject({ agent: 'codex', ...below });
    expect(build).toMatchObject({ agent: 'opencode', ...below });
    expect(it.ledger()).toBe('planned\nbuilt\n');
    expect(opencode.received(build.conversation)).toEqual([expect.stringMatching(/^The plan: paint it green\. /)]);
    for (const { id } of [owner, plan, build])
      expect(await claude.eventNames(id, 'approval.breached', 'prompt.unsure')).toEqual([]);

    // The turns of all three are counted together. An update in a turn is not a turn.
    const { session } = await owner.show();
    const used = [session, plan, build].map(({ usage }) => usage?.turns ?? 0);
    expect(used.slice(1)).toEqual([1, 1]);
    const left = BUDGET.turns - used.reduce((sum, turns) => sum + turns);
    for (let i = 0; i < left; i += 1) await owner.converse('hello', { timeoutMs: WAIT_MS });
    await owner.prompt(script([bash('outlast spawn --live --agent codex --name third hello'), { text: 'Tried.' }]));
    const held = await owner.waitFor('held', { timeoutMs: WAIT_MS });
    expect(held.met).toBe('held');
    expect((await owner.show()).session.held).toContain(SPENT);
    await owner.resume();
    await seenBy(claude, owner, `outlast: ${SPENT}`);
    await expect(client.show('third')).rejects.toMatchObject({ code: 'session_not_found' });
    await claude.cli(['stop', 'owner']);
  });
});
