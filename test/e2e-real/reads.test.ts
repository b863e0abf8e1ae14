import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentIsHere, agentVersions } from '../../scripts/agents.ts';
import { type HookReport, readHook } from '../../src/agent/claude/hooks.ts';
import { readStream } from '../../src/agent/claude/stream.ts';
import { type ConversationState, conversationState, readLines } from '../../src/agent/claude/transcript.ts';
import { turns } from '../../src/agent/claude/turns.ts';
import { NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { deepTest } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { type ClaudeWorld, claudeWorld } from './claude-world.ts';
import { liveClaude } from './live-claude.ts';
import type { Step } from './story.ts';

const prompt = (...steps: Step[]): string => `Please do this: SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** The reports of the hooks. Fails on a payload that the product cannot read. */
function hookReports(world: ClaudeWorld): HookReport[] {
  return world.hooks().map((payload) => {
    const read = readHook(payload);
    if (read === null) throw new Error(`unreadable: ${JSON.stringify(payload)}`);
    return read;
  });
}

const kinds = (reports: readonly HookReport[]): string[] => reports.map(({ is }) => is);

function find<Is extends HookReport['is']>(reports: readonly HookReport[], is: Is): HookReport & { readonly is: Is } {
  const found = reports.findLast((each) => each.is === is);
  if (found === undefined) throw new Error(`no ${is} among ${kinds(reports).join(', ')}`);
  return found as HookReport & { readonly is: Is };
}

function transcriptText(world: ClaudeWorld): string {
  return readFileSync(find(hookReports(world), 'prompted').transcript ?? '', 'utf8');
}

const stateOf = (world: ClaudeWorld): ConversationState => conversationState(readLines(transcriptText(world)).entries);

const LIMITED = prompt({ status: 429, headers: { 'retry-after': '3600' } });

/** A command that runs until the file `go` exists. */
const gated = (world: ClaudeWorld): Step => ({
  tool: 'Bash',
  input: {
    command: `echo waiting; until [ -e ${join(world.workspace, 'go')} ]; do sleep 0.05; done`,
    description: 'x',
  },
});
const letGo = (world: ClaudeWorld): void => writeFileSync(join(world.workspace, 'go'), '');

for (const version of agentVersions()) {
  // A missing agent fails CI, where nobody reads the list of skipped tests.
  const isLeftOut = !agentIsHere(version) && process.env.CI !== 'true';
  // What has not changed between versions runs with the newest always, with the others in campaigns.
  const testNewest = version === NEWEST_CLAUDE ? test : deepTest;
  describe.skipIf(isLeftOut)(`Claude Code ${version}`, { timeout: 90_000 }, () => {
    test('a headless turn is read the same way in hooks, stream and transcript', async () => {
      await using world = await claudeWorld({ version });
      const id = randomUUID();
      const asked = prompt(
        { say: 'first', tool: 'Bash', input: { command: 'echo from-the-shell', description: 'x' } },
        { think: 'hm', text: 'all is\ndone' },
      );
      const run = await world.turn(asked, { is: 'new', id });
      expect([run.status, run.error]).toEqual([0, '']);

      const reports = hookReports(world);
      expect(kinds(reports)).toEqual(['started', 'prompted', 'tool.asked', 'tool.ended', 'stopped', 'ended']);
      expect(new Set(reports.map(({ conversation }) => conversation))).toEqual(new Set([id]));
      expect(find(reports, 'prompted').text).toBe(asked);
      expect(find(reports, 'tool.asked')).toMatchObject({ name: 'Bash', input: { command: 'echo from-the-shell' } });
      expect(find(reports, 'stopped')).toMatchObject({ reply: 'all is\ndone', again: false, background: 0 });
      const ids = reports.slice(1).map(({ promptId }) => promptId);
      expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));

      expect(readStream(run.output)).toMatchObject({
        ...{ outcome: 'complete', reply: 'all is\ndone', conversation: id, version, skipped: 0, error: null },
      });
      expect(stateOf(world)).toMatchObject({ is: 'complete', lastPrompt: asked, reply: 'all is\ndone' });
      const [turn] = turns(readLines(transcriptText(world)).entries);
      expect(turn?.steps.find(({ is }) => is === 'call')).toMatchObject({
        result: { text: 'from-the-shell', isError: false },
      });
      expect(world.stateFile(run.pid)).toBeNull();
      expect(world.server.requests().map(({ step }) => step)).toEqual([0, 1]);
    });

    testNewest('a conversation is resumed under its id and forked under a given id', async () => {
      await using world = await claudeWorld({ version });
      const [id, copy] = [randomUUID(), randomUUID()];
      await world.turn('one', { is: 'new', id });
      const resumed = await world.turn('two', { is: 'resume', id });
      const forked = await world.turn('three', { is: 'fork', from: id, id: copy });
      expect(readStream(resumed.output)).toMatchObject({ outcome: 'complete', conversation: id });
      expect(readStream(forked.output)).toMatchObject({ outcome: 'complete', conversation: copy });
      expect(find(hookReports(world), 'prompted')).toMatchObject({ text: 'three', conversation: copy });
      expect(turns(readLines(transcriptText(world)).entries).map((turn) => turn.prompt)).toEqual([
        'one',
        'two',
        'three',
      ]);
    });

    testNewest('a refusal of the API ends a headless turn as a limit, in stream and transcript', async () => {
      await using world = await claudeWorld({ version });
      const run = await world.turn(LIMITED, { is: 'new', id: randomUUID() });
      expect(run.status).toBe(1);
      expect(readStream(run.output)).toMatchObject({ outcome: 'limited', error: 'rate_limit' });
      expect(stateOf(world).is).toBe('limited');
      // 2.1.325 does not wait for the hook that reports it, so the hook may never have run.
      const seen = kinds(hookReports(world)).filter((is) => is !== 'stop.failed');
      expect(seen).toEqual(['started', 'prompted', 'ended']);
    });

    testNewest('a hook reports a refusal of the API in full-screen mode', async () => {
      await using world = await claudeWorld({ version });
      const live = await liveClaude(world, { is: 'new', id: randomUUID() });
      await live.until('ready');
      await live.untilStatus('idle');
      await live.submit(LIMITED);
      await eventually(() => kinds(hookReports(world)).includes('stop.failed'));
      expect(find(hookReports(world), 'stop.failed').error).toBe('rate_limit');
      await live.untilStatus('idle');
      await live.until('ready');
      await eventually(() => stateOf(world).is === 'limited');
    });

    test('a turn in full-screen mode shows on the screen, in the state file, in hooks and transcript', async () => {
      await using world = await claudeWorld({ version });
      const id = randomUUID();
      const live = await liveClaude(world, { is: 'new', id });
      await live.until('ready');
      const idle = await live.untilStatus('idle');
      expect(idle).toMatchObject({ pid: await live.pid(), conversation: id, version });

      const asked = prompt(gated(world), { text: 'it went' });
      await live.submit(asked);
      await live.untilStatus('busy');
      expect(await live.until('busy')).toEqual({ is: 'busy' });
      letGo(world);
      await eventually(() => kinds(hookReports(world)).includes('stopped'));
      await live.untilStatus('idle');
      expect(await live.until('ready')).toEqual({ is: 'ready' });

      const reports = hookReports(world);
      expect(kinds(reports)).toEqual(['started', 'prompted', 'tool.asked', 'tool.ended', 'stopped']);
      expect(find(reports, 'prompted')).toMatchObject({ text: asked, promptId: find(reports, 'stopped').promptId });
      expect(find(reports, 'stopped').reply).toBe('it went');
      await eventually(() => stateOf(world).is === 'complete');
      expect(stateOf(world)).toMatchObject({ lastPrompt: asked, reply: 'it went' });

      await live.submitCommand('/exit');
      expect(await live.end()).toMatchObject({ exit: { status: 0 } });
      expect(world.stateFile(idle.pid)).toBeNull();
      expect(find(hookReports(world), 'ended').reason).toBe('prompt_input_exit');
    });

    testNewest(
      'no hook reports Escape in the middle of a turn, only state file, screen and transcript do',
      async () => {
        await using world = await claudeWorld({ version });
        const live = await liveClaude(world, { is: 'new', id: randomUUID() });
        await live.until('ready');
        await live.untilStatus('idle');
        await live.submit(prompt(gated(world), { text: 'never said' }));
        await eventually(() => kinds(hookReports(world)).includes('tool.asked'));
        await live.untilStatus('busy');
        await live.press('escape');
        await live.untilStatus('idle');
        await live.until('ready');
        await eventually(() => stateOf(world).is === 'interrupted');
        expect(kinds(hookReports(world)).at(-1)).toBe('tool.asked');
      },
    );

    test('an untrusted folder shows a dialog, and no hook runs', async () => {
      await using world = await claudeWorld({ version, isTrusted: false });
      const live = await liveClaude(world, { is: 'new', id: randomUUID() });
      expect(await live.until('dialog')).toEqual({ is: 'dialog', dialog: 'trust' });
      expect([world.hooks(), world.stateFile()]).toEqual([[], null]);
    });
  });
}
