import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { mark, recoveryWorld } from './recovery-world.ts';

// Recoveries in which the transcript is lost or the daemon dies, and the notices about them.

test.each(['turns', 'live'] as const)(
  'T-RES-7: a session (%s) whose transcript was deleted is held with that reason, and no new conversation is started',
  async (drive) => {
    await using place = await recoveryWorld();
    const agent = await place.agent({ live: drive === 'live', text: 'hello', manners: { flushMs: 0 } });
    expect((await agent.reply()).met).toBe('answered');
    await agent.untilEvent('usage.counted');
    const { transcript } = await agent.view();
    if (drive === 'live') process.kill(await agent.pid(), 'SIGKILL');
    // As the agent itself deletes conversations after thirty days.
    rmSync(String(transcript));
    if (drive === 'live') await agent.untilEvent('run.faulted');
    await agent.session.prompt('go on');
    const held = await agent.untilEvent('session.held');
    expect(held.body).toMatchObject({ why: { kind: 'transcript', text: expect.stringContaining(String(transcript)) } });
    expect([existsSync(String(transcript)), agent.runs()]).toEqual([false, []]);
    expect((await agent.view()).prompts).toMatchObject([{ state: 'queued' }]);
  },
);

test('T-RES-8: the next daemon finishes a recovery in which the daemon died, once, and sends the notices', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ol-notices-'));
  const file = join(folder, 'notices');
  const command = ['sh', '-c', `cat >>'${file}'`];
  const on = ['run.faulted', 'answered'];
  try {
    await using place = await recoveryWorld({ config: { notices: [{ name: 'log', command, on }] } });
    const steps = [mark('a'), mark('b', { delayMs: 400 }), { text: 'all done', delayMs: 400 }];
    const agent = await place.agent({ steps, manners: { flushMs: 0 }, policy: { backoff: { msMin: 1_000 } } });
    await agent.untilEvent('tool.ended');
    process.kill(await agent.pid(), 'SIGKILL');
    for (const event of ['run.faulted', 'run.starting', 'prompt.answered']) {
      await agent.untilEvent(event, event === 'run.starting' ? 2 : 1);
      await place.world.restart();
    }
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
    expect([agent.ledger(), (await agent.view()).run]).toEqual([['a', 'b'], 2]);
    const types = (await agent.events()).map(({ event }) => event);
    const count = (type: string): number => types.filter((each) => each === type).length;
    expect(['run.faulted', 'run.starting', 'prompt.answered'].map(count)).toEqual([1, 2, 1]);
    const notices = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await eventually(async () => (await place.world.client.daemonStatus()).notices.every(({ behind }) => behind === 0));
    for (const words of ['run.faulted', 'all done']) expect(notices()).toContain(words);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
