import { expect } from 'vitest';
import type { ApprovalView, Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { append, type Drive, openGated, waitingHooks } from './gated.ts';
import type { Stage, Stories, Story } from './stage.ts';

// Daemons, hooks and agents die while an approval is pending.

function daemonStory(drive: Drive): Story {
  return async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed, decisions } = await openGated(open);
    const session = await startGated(drive, stage.script(append('one'), append('two'), { say: 'bye' }));
    const before = await pendingApproval(session, 'one');
    await stage.world.kill();
    await stage.world.start();
    const after = await pendingApproval(session, 'one');
    expect(after.id).toBe(before.id);
    await decide(after, true);
    await decide(await pendingApproval(session, 'two'), false);
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([['one'], ['yes by ann', 'no by ann']]);
    expect((await session.show()).session.run).toBe(1);
  };
}

function agentStory(drive: Drive): Story {
  return async (open) => {
    const { stage, startGated, pendingApproval, decide, executed } = await openGated(open);
    // A model may believe that an interrupted call has run.
    const session = await startGated(drive, stage.script(append('once'), append('once'), { say: 'bye' }));
    const before = await pendingApproval(session, 'once');
    await kill(session);
    await stage.waitForEvent(session.id, 'run.starting', 2, 45_000);
    await expect(decide(before, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
    const after = await pendingApproval(session, 'once');
    expect([after.id === before.id, executed()]).toEqual([false, []]);
    await decide(after, true);
    await denyRest(stage, session);
    expect(executed()).toEqual(['once']);
    expect(await auditEventsOf(stage, before)).toEqual(['approval.missed']);
    expect((await auditEventsOf(stage, after))[0]).toBe('approval.decided');
  };
}

/** The audit events of an approval. */
async function auditEventsOf({ world }: Stage, { id }: ApprovalView): Promise<string[]> {
  const rows: string[] = [];
  for await (const { record } of world.client.approvals.audit()) {
    if (record.approval === id) rows.push(String(record.event));
  }
  return rows;
}

/** Denies every pending approval until the turn has ended. */
async function denyRest({ world }: Stage, { id }: Session): Promise<void> {
  await eventually(
    async () => {
      for (const approval of await world.client.approvals.list({ session: id }))
        await world.client.approvals.decide(approval.id, false, { by: 'ann' }).catch(() => {});
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

/** The daemon, the agent or a hook dies while an approval is pending. */
export const GATE_HURT: Stories = {
  'an approval pending when the daemon is killed can be decided after the restart (turns)': daemonStory('turns'),
  'an approval pending when the daemon is killed can be decided after the restart (live)': daemonStory('live'),
  'an agent killed while an approval is pending asks again, and the old approval allows nothing (turns)':
    agentStory('turns'),
  'an agent killed while an approval is pending asks again, and the old approval allows nothing (live)':
    agentStory('live'),

  'a killed hook allows nothing': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed, decisions } = await openGated(open);
    const session = await startGated('turns', stage.script(append('one'), append('two'), { say: 'bye' }));
    const approval = await pendingApproval(session, 'one');
    const hooks = waitingHooks(session);
    expect(hooks.length).toBeGreaterThan(0);
    for (const pid of hooks) process.kill(pid, 'SIGKILL');
    await stage.waitForEvent(session.id, 'approval.missed');
    await expect(decide(approval, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
    await decide(await pendingApproval(session, 'two'), true);
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([['two'], ['yes by ann']]);
  },

  'a second decision about the same approval has no effect': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed, decisions } = await openGated(open);
    const session = await startGated('turns', stage.script(append('one'), { say: 'bye' }));
    const approval = await pendingApproval(session, 'one');
    const answers = await Promise.allSettled([decide(approval, false), decide(approval, true), decide(approval, true)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await turnEnd(session);
    const [decision, ...more] = await decisions(session);
    expect([executed().length, more]).toEqual([decision === 'yes by ann' ? 1 : 0, []]);
    await eventually(() => waitingHooks(session).length === 0, { what: 'the exit of all waiting hooks' });
  },
};
