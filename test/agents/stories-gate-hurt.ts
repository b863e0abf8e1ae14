import { expect } from 'vitest';
import type { ApprovalView, Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type Drive, leaves, openGated, waitingHooks } from './gated.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

// Daemons, hooks and agents die while somebody thinks about an answer.

function daemonStory(drive: Drive): Story {
  return async (open) => {
    const { stage, begin, asked, say, over, made, decisions } = await openGated(open);
    const session = await begin(drive, script(leaves('one'), leaves('two'), { text: 'bye' }));
    const before = await asked(session, 'one');
    await stage.world.kill();
    await stage.world.start();
    const after = await asked(session, 'one');
    expect(after.id).toBe(before.id);
    await say(after, true);
    await say(await asked(session, 'two'), false);
    await over(session);
    expect([made(), await decisions(session)]).toEqual([['one'], ['yes by ann', 'no by ann']]);
    expect((await session.show()).session.run).toBe(1);
  };
}

function agentStory(drive: Drive): Story {
  return async (open) => {
    const { stage, begin, asked, say, made } = await openGated(open);
    // A model may take a call that was cut off for one that was made.
    const session = await begin(drive, script(leaves('once'), leaves('once'), { text: 'bye' }));
    const before = await asked(session, 'once');
    await kill(session);
    await stage.happens(session.id, 'run.starting', 2, 45_000);
    await expect(say(before, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
    const after = await asked(session, 'once');
    expect([after.id === before.id, made()]).toEqual([false, []]);
    await say(after, true);
    await denyRest(stage, session);
    expect(made()).toEqual(['once']);
    expect(await fateOf(stage, before)).toEqual(['approval.missed']);
    expect((await fateOf(stage, after))[0]).toBe('approval.decided');
  };
}

/** What the audit has of a question. */
async function fateOf({ world }: Stage, { id }: ApprovalView): Promise<string[]> {
  const rows: string[] = [];
  for await (const { record } of world.client.approvals.audit()) {
    if (record.approval === id) rows.push(String(record.event));
  }
  return rows;
}

/** Says no to whatever is still asked, until the turn is over. */
async function denyRest({ world }: Stage, { id }: Session): Promise<void> {
  await eventually(
    async () => {
      for (const question of await world.client.approvals.list({ session: id }))
        await world.client.approvals.decide(question.id, false, { by: 'ann' }).catch(() => {});
      const { session } = await world.client.show(id);
      return session.phase === 'idle';
    },
    { msMax: 45_000, what: 'the end of the turn' },
  );
}

async function kill(session: Session): Promise<void> {
  const pid = await eventually(async () => (await session.show()).session.pid, { what: 'a process' });
  process.kill(pid, 'SIGKILL');
}

/** What dies while a question waits. */
export const GATE_HURT: Stories = {
  'a daemon killed while a question waits answers it when it is back (turns)': daemonStory('turns'),
  'a daemon killed while a question waits answers it when it is back (live)': daemonStory('live'),
  'an agent killed while a question waits asks again, and what it asked before lets nothing through (turns)':
    agentStory('turns'),
  'an agent killed while a question waits asks again, and what it asked before lets nothing through (live)':
    agentStory('live'),

  'a hook that is killed lets nothing through': async (open) => {
    const { stage, begin, asked, say, over, made, decisions } = await openGated(open);
    const session = await begin('turns', script(leaves('one'), leaves('two'), { text: 'bye' }));
    const question = await asked(session, 'one');
    const hooks = waitingHooks(session);
    expect(hooks.length).toBeGreaterThan(0);
    for (const pid of hooks) process.kill(pid, 'SIGKILL');
    await stage.happens(session.id, 'approval.missed');
    await expect(say(question, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
    await say(await asked(session, 'two'), true);
    await over(session);
    expect([made(), await decisions(session)]).toEqual([['two'], ['yes by ann']]);
  },

  'an answer that is given twice counts once': async (open) => {
    const { begin, asked, say, over, made, decisions } = await openGated(open);
    const session = await begin('turns', script(leaves('one'), { text: 'bye' }));
    const question = await asked(session, 'one');
    const answers = await Promise.allSettled([say(question, false), say(question, true), say(question, true)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await over(session);
    const [decision, ...more] = await decisions(session);
    expect([made().length, more]).toEqual([decision === 'yes by ann' ? 1 : 0, []]);
    await eventually(() => waitingHooks(session).length === 0, { what: 'no hook that waits' });
  },
};
