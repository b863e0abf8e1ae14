import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { mark, recoveryWorld } from './recovery-world.ts';

// Notices about a recovery: each is sent once, even if the daemon dies in the middle; and a loss is reported.

test.each(['turns', 'live'] as const)(
  'T-RES-7: a conversation that was swept away (%s) is told and held, not begun anew',
  async (drive) => {
    await using place = await recoveryWorld();
    const agent = await place.agent({ live: drive === 'live', text: 'hello', manners: { flushMs: 0 } });
    expect((await agent.reply()).met).toBe('answered');
    await agent.heard('usage.counted');
    const { transcript } = await agent.view();
    if (drive === 'live') process.kill(await agent.pid(), 'SIGKILL');
    // As the agent itself does with conversations that are thirty days old.
    rmSync(String(transcript));
    if (drive === 'live') await agent.heard('run.faulted');
    await agent.session.prompt('go on');
    const held = await agent.heard('session.held');
    expect(held.body).toMatchObject({ why: { kind: 'transcript', text: expect.stringContaining(String(transcript)) } });
    expect([existsSync(String(transcript)), agent.runs()]).toEqual([false, []]);
    expect((await agent.view()).prompts).toMatchObject([{ state: 'queued' }]);
  },
);

test('T-RES-8: a recovery that the daemon dies in is finished by the next, once, and people are told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ol-told-'));
  const file = join(folder, 'told');
  const command = ['sh', '-c', `cat >>'${file}'`];
  const on = ['run.faulted', 'answered'];
  try {
    await using place = await recoveryWorld({ config: { notices: [{ name: 'log', command, on }] } });
    const steps = [mark('a'), mark('b', { delayMs: 400 }), { text: 'all done', delayMs: 400 }];
    const agent = await place.agent({ steps, manners: { flushMs: 0 }, policy: { backoff: { msMin: 1_000 } } });
    await agent.heard('tool.ended');
    process.kill(await agent.pid(), 'SIGKILL');
    for (const event of ['run.faulted', 'run.starting', 'prompt.answered']) {
      await agent.heard(event, event === 'run.starting' ? 2 : 1);
      await place.world.restart();
    }
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
    expect([agent.ledger(), (await agent.view()).run]).toEqual([['a', 'b'], 2]);
    const types = (await agent.events()).map(({ event }) => event);
    const count = (type: string): number => types.filter((each) => each === type).length;
    expect(['run.faulted', 'run.starting', 'prompt.answered'].map(count)).toEqual([1, 2, 1]);
    const told = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await eventually(async () => (await place.world.client.daemonStatus()).notices.every(({ behind }) => behind === 0));
    for (const words of ['run.faulted', 'all done']) expect(told()).toContain(words);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
