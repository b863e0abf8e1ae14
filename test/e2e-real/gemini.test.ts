import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { runBoot, startForeignAgent, waitForTranscript } from '../agents/foreign.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import type { TurnStep } from '../agents/under-test/agent.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';
import { deepTest } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';

// What is special about Gemini CLI, with the real one.

const isHere = agentIsHere('0.61.0', 'gemini') || process.env.CI === 'true';

describe.skipIf(!isHere)('Gemini CLI', { timeout: 240_000 }, () => {
  test('it is refused while its retention is on, and works when it is off; doctor says so', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const path = join(stage.config, '.gemini/settings.json');
    const off = readFileSync(path, 'utf8');
    writeFileSync(path, off.replace('"sessionRetention":{"enabled":false}', '"sessionRetention":{"enabled":true}'));
    const refused = await stage.cli(['run', 'hello']);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(`as ${path} does not disable that`);
    writeFileSync(path, off);
    expect((await stage.cli(['run', 'hello'])).stdout).toBe('You said: hello\n');
    const asked = async (): Promise<string> => (await stage.cli(['doctor'])).stdout;
    // The daemon has another home than the callers of this stage.
    const said = /^ok {3}gemini: .* 0\.61\.0; .* as (\S+) does not .*"sessionRetention".*unless GEMINI_CLI_HOME/m;
    const [, settings = ''] = said.exec(await asked()) ?? [];
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, off);
    expect(await asked()).toMatch(/^ok {3}gemini: \S+ 0\.61\.0$/m);
  });

  test('a first turn that failed left nothing to resume: its whole prompt is sent in a new conversation', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const session = await stage.start();
    // A continuation would have the beginning of it only.
    const text = `${'long '.repeat(200)} ${script({ status: 401, times: 1 }, { text: 'better now' })}`;
    const { prompt } = await session.prompt(text);
    expect((await session.reply({ prompt, timeoutMs: 60_000 })).met).toBe('held');
    const before = (await session.show()).session.conversation;
    expect((await stage.cli(['resume', session.id])).status).toBe(0);
    expect(await session.reply({ prompt, timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'better now' });
    const { conversation } = (await session.show()).session;
    expect(conversation?.slice(0, 8)).not.toBe(before?.slice(0, 8));
    expect(stage.received(conversation).map((each) => each.trim())).toEqual([text]);
    expect((await session.converse('and now?', { timeoutMs: 60_000 })).reply).toBe('You said: and now?');
    expect((await session.show()).session.conversation).toBe(conversation);
  });

  deepTest('a killed server loads its conversation in the next minute, and says why it waits', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const [ledger, go] = [join(stage.root, 'ledger'), join(stage.root, 'go')];
    // So that the minute is not over before the kill.
    await eventually(() => new Date().getUTCSeconds() < 25, { msMax: 60_000 });
    const session = await stage.startLive({ name: 'api' });
    const command = `echo once >> '${ledger}'; until [ -e '${go}' ]; do sleep 0.05; done`;
    const { prompt } = await session.prompt(stage.script({ run: command, before: 'let me see' }, { say: 'seen' }));
    await eventually(() => existsSync(ledger), { msMax: 30_000 });
    const { pid, conversation } = (await session.show()).session;
    kill(pid);
    const { body } = await stage.waitForEvent(session.id, 'run.delayed');
    expect(body.why).toContain('destroys a conversation');
    writeFileSync(go, '');
    // The next daemon waits too.
    await stage.world.restart();
    expect((await stage.cli(['show', 'api'])).stdout).toContain('destroys a conversation');
    const started = await stage.waitForEvent(session.id, 'run.starting', 2, 90_000);
    expect(Date.parse(started.ts)).toBeGreaterThanOrEqual(Number(body.untilMs));
    expect(await session.reply({ prompt, timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'seen' });
    const received = stage.received(conversation);
    expect([received.length, received[1]?.includes('echo once')]).toEqual([2, true]);
    expect([readFileSync(ledger, 'utf8'), (await session.show()).session.conversation]).toEqual([
      'once\n',
      conversation,
    ]);
    expect((await stage.events(session.id, 'run.delayed')).length).toBe(1);
  });

  test('of conversations that others began, those that were surely interrupted are resumed', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const started = async (...steps: readonly TurnStep[]): Promise<string> => {
      const agent = await startForeignAgent(stage, stage.script(...steps));
      await waitForTranscript(agent, stage.agent.marks.called);
      await agent.kill();
      return agent.id;
    };
    const open = await started({ run: 'sleep 5' }, { say: 'slept' });
    const unclear = [
      await started({ run: 'sleep 5', before: 'let me see' }, { say: 'seen' }),
      await started({ say: 'finished' }),
    ];
    const { conversations } = await runBoot(stage, { resume: ['all'] });
    const found = new Map(conversations.map(({ id, verdict, did }) => [id, [verdict, did]]));
    expect(found.get(open)).toEqual(['interrupted', 'resumed']);
    expect(unclear.map((id) => found.get(id))).toEqual(unclear.map(() => ['unknown', 'nothing']));
    const [{ id = '' } = {}] = (await stage.world.client.list()).sessions;
    expect((await stage.world.client.reply({ session: id, timeoutMs: 60_000 })).reply).toBe('slept');
  });

  deepTest('while its retention is on, a conversation is not resumed, and the result says what to change', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const agent = await startForeignAgent(stage, stage.script({ run: 'sleep 5' }, { say: 'slept' }));
    await waitForTranscript(agent, stage.agent.marks.called);
    await agent.kill();
    const path = join(stage.config, '.gemini/settings.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"sessionRetention":{"enabled":false}', '"more":1'));
    const { conversations } = await runBoot(stage, { resume: ['all'] });
    const why = expect.stringContaining('"sessionRetention": { "enabled": false }');
    expect(conversations).toMatchObject([{ id: agent.id, verdict: 'interrupted', did: 'failed', detail: why }]);
    expect((await stage.world.client.list()).sessions).toEqual([]);
  });
});
