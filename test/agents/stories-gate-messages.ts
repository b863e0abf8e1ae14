import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { times } from '../campaign.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { commandFor, openGated } from './gated.ts';
import { needing, type Stage, type Stories } from './stage.ts';

// A call of an agent that asks in messages runs if and only if it is approved.

const append = (word: string) => ({ run: commandFor(word) });
const rule = (word: string): string => `Bash(${commandFor(word)})`;

/** No call without a decision in the journal, and the audit has all of them. */
async function expectNoBreach(stage: Stage, session: string): Promise<void> {
  expect(await stage.eventNames(session, 'approval.breached')).toEqual([]);
  expect((await stage.cli(['audit', 'verify'])).status).toBe(0);
}

/** Some agents may load a conversation only in the minute after its first one. */
const RELOAD_MS_MAX = 100_000;

const OTHERS = ['gate openers', 'other clients'] as const;

/** Decisions about calls that an agent asks about in messages. */
export const GATE_MESSAGES: Stories = {
  'a call that a rule allows runs at once; one that a rule denies does not run': async (open) => {
    const { stage, startGated, turnEnd, executed, decisions } = await openGated(open);
    const gate = { mode: 'gate' as const, allow: [rule('yes')], deny: [rule('no')] };
    const session = await startGated('live', stage.script(append('yes'), append('no'), { say: 'bye' }), { gate });
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([['yes'], ['yes by rules', 'no by rules']]);
    await expectNoBreach(stage, session.id);
  },

  'an approved call runs once, a denied one does not, and a later one is asked about again': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
    const steps = [append('one'), append('two'), append('one'), { say: 'bye' }];
    const session = await startGated('live', stage.script(...steps));
    await decide(await pendingApproval(session, 'one'), true);
    await decide(await pendingApproval(session, 'two'), false, { why: 'not now' });
    expect(executed()).toEqual(['one']);
    await decide(await pendingApproval(session, 'one'), false);
    await turnEnd(session);
    expect(executed()).toEqual(['one']);
    await expectNoBreach(stage, session.id);
  },

  'a pending approval survives a killed daemon: nothing runs meanwhile, and the decision is carried out once': async (
    open,
  ) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
    const session = await startGated('live', stage.script(append('kept'), { say: 'bye' }));
    const asked = await pendingApproval(session, 'kept');
    await stage.world.restart();
    expect(executed()).toEqual([]);
    const again = await pendingApproval(session, 'kept');
    expect(again.id).toBe(asked.id);
    await decide(again, true);
    await turnEnd(session);
    expect(executed()).toEqual(['kept']);
    expect((await session.show()).session.run).toBe(1);
    await expectNoBreach(stage, session.id);
  },

  'a call that waited when its agent was killed does not run by itself, and is asked about again': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
    const session = await startGated('live', stage.script(append('lost'), { say: 'bye' }));
    const first = await pendingApproval(session, 'lost');
    const { pid } = (await session.show()).session;
    kill(pid);
    await eventually(() => pid !== null && !isRunning(pid), { what: 'the end of the agent' });
    await stage.waitForEvent(session.id, 'run.starting', 2, RELOAD_MS_MAX);
    // The model of the script makes the next call or ends; either way the old question is over.
    await eventually(async () => (await stage.world.client.approvals.list()).every(({ id }) => id !== first.id), {
      msMax: RELOAD_MS_MAX,
    });
    // An agent that forgets the call when it is killed makes it once more, a little later.
    let isOver = false;
    const ended = turnEnd(session).finally(() => {
      isOver = true;
    });
    await eventually(
      async () => {
        for (const asked of await stage.world.client.approvals.list()) await decide(asked, false);
        return isOver;
      },
      { msMax: RELOAD_MS_MAX },
    );
    await ended;
    expect(executed()).toEqual([]);
    await expectNoBreach(stage, session.id);
  },

  'files of the folder and of the user that would allow everything do not open the gate': needing(
    ['gate openers'],
    async (open) => {
      const { stage, startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
      const { gateOpeners } = stage.agent;
      gateOpeners?.write(stage.root);
      const before = gateOpeners?.settings(stage.root);
      for (let round = 0; round < times(1, 10); round += 1) {
        const word = `try-${round}`;
        // Trusted by the caller: even then its own files decide nothing.
        const steps = [append(word), { run: 'cat hosts' }, { say: 'bye' }];
        const session = await startGated('live', stage.script(...steps), { trust: true });
        await decide(await pendingApproval(session, word), false);
        await decide(await pendingApproval(session, 'cat hosts'), false);
        await turnEnd(session);
        expect(executed()).toEqual([]);
        await expectNoBreach(stage, session.id);
        await session.stop();
      }
      // The settings of the person are as they were.
      expect(gateOpeners?.settings(stage.root)).toBe(before);
    },
  ),

  'an answer that somebody else gave is a breach, and ends the session': needing(OTHERS, async (open) => {
    const { stage, startGated, pendingApproval, executed } = await openGated(open);
    const session = await startGated('live', stage.script(append('stolen'), { run: 'sleep 60' }, { say: 'bye' }));
    await pendingApproval(session, 'stolen');
    const script = join(stage.root, 'answer.mjs');
    const run = join(stage.world.state, 'sessions', session.id, 'runs/1');
    writeFileSync(script, stage.agent.gateOpeners?.otherClient?.('yes') ?? '');
    const argv = [process.execPath, script, JSON.stringify({ run })];
    await stage.world.client.start({ argv, cwd: stage.workspace });
    await stage.waitForEvent(session.id, 'approval.breached');
    await eventually(async () => (await session.show()).session.phase === 'ended', { msMax: 30_000 });
    expect(executed()).toEqual(['stolen']);
    expect((await stage.cli(['audit', 'verify'])).status).toBe(0);
  }),
};
