import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pressUntil } from '../press.ts';
import { append, appendStep, commandFor, type Drive, openGated } from './gated.ts';
import { needing, type Stories, type Story } from './stage.ts';
import { script } from './story-text.ts';

// A tool call runs if and only if it is approved, with every agent.

const rule = (word: string): string => `Bash(${commandFor(word)})`;

function rulesStory(drive: Drive): Story {
  return async (open) => {
    const { stage, startGated, turnEnd, executed, waitForTranscript, decisions } = await openGated(open);
    const gate = { mode: 'gate' as const, allow: [rule('yes')], deny: [rule('no')] };
    const text = stage.script(append('yes'), append('no'), { say: 'bye' });
    const session = await startGated(drive, text, { gate });
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([['yes'], ['yes by rules', 'no by rules']]);
    await waitForTranscript(`deny ${rule('no')}`);
    expect(await stage.eventNames(session.id, 'approval.used')).toHaveLength(1);
  };
}

function answersStory(drive: Drive): Story {
  return async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed, waitForTranscript, decisions } =
      await openGated(open);
    const session = await startGated(
      drive,
      stage.script(append('one'), append('two'), append('three'), { say: 'bye' }),
    );
    const first = await pendingApproval(session, 'one');
    expect(executed()).toEqual([]);
    await decide(first, true);
    await decide(await pendingApproval(session, 'two'), false, { why: 'the third is better' });
    await decide(await pendingApproval(session, 'three'), true);
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([
      ['one', 'three'],
      ['yes by ann', 'no by ann', 'yes by ann'],
    ]);
    await waitForTranscript('the third is better');
  };
}

function lateStory(drive: Drive): Story {
  return async (open) => {
    const { stage, startGated, turnEnd, executed, waitForTranscript, decisions } = await openGated(open);
    // T-GATE-13: long enough for the agent's dialog to be taken for one that stays.
    const approvalMsMax = drive === 'live' ? 3_500 : 1_500;
    const session = await startGated(drive, stage.script(append('late'), { say: 'bye' }), {
      policy: { approvalMsMax },
    });
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([[], ['no by timeout']]);
    // T-GATE-14: a denied call is not recorded as used.
    expect(await stage.eventNames(session.id, 'session.held', 'approval.used', 'approval.missed')).toEqual([]);
    await waitForTranscript('no answer in time');
  };
}

/** Decisions of rules and people. */
export const GATE_ANSWERS: Stories = {
  'a call that a rule allows runs at once; one that a rule denies does not, and the agent gets the reason (turns)':
    rulesStory('turns'),
  'a call that a rule allows runs at once; one that a rule denies does not, and the agent gets the reason (live)':
    rulesStory('live'),
  'an approved call runs; a denied one does not, and the agent gets the reason (turns)': answersStory('turns'),
  'an approved call runs; a denied one does not, and the agent gets the reason (live)': answersStory('live'),
  'a call that nobody decides about is denied, and the agent is told so (turns)': lateStory('turns'),
  'a call that nobody decides about is denied, and the agent is told so (live)': lateStory('live'),

  'an edited call runs instead of the original one': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
    const session = await startGated('turns', stage.script(append('asked'), { say: 'bye' }));
    const edit = { command: commandFor('changed'), description: 'x' };
    await decide(await pendingApproval(session, 'asked'), true, { edit });
    await turnEnd(session);
    expect(executed()).toEqual(['changed']);
  },

  'a call that the agent shows in a dialog cannot be edited: the caller gets an error, and can still approve it':
    needing(['live'], async (open) => {
      const { stage, startGated, pendingApproval, decide, turnEnd, executed, decisions } = await openGated(open);
      const session = await startGated('live', stage.script(append('asked'), { say: 'bye' }));
      const approval = await pendingApproval(session, 'asked');
      const edit = JSON.stringify({ command: commandFor('changed'), description: 'x' });
      const refused = await stage.cli(['approve', approval.id, '--edit', edit]);
      expect([refused.status, refused.stderr]).toEqual([
        4,
        expect.stringMatching(/shows a dialog about this call.*deny/s),
      ]);
      expect([executed(), await decisions(session)]).toEqual([[], []]);
      await decide(approval, true);
      await turnEnd(session);
      expect([executed(), await decisions(session)]).toEqual([['asked'], ['yes by ann']]);
    }),

  'a person at the screen approves the call: it runs, and the journal records who approved it': needing(
    ['live'],
    async (open) => {
      const { stage, startGated, pendingApproval, turnEnd, executed, decisions } = await openGated(open, {
        faults: {},
      });
      const session = await startGated('live', stage.script(append('seen'), { say: 'bye' }));
      await pendingApproval(session, 'seen');
      await stage.waitForEvent(session.id, 'approval.shown');
      await pressUntil(
        () => session.keys(['Enter']),
        () => executed().length > 0,
      );
      await turnEnd(session);
      expect([executed(), await decisions(session)]).toEqual([['seen'], ['yes by a person at its screen']]);
      expect(await stage.eventNames(session.id, 'approval.breached')).toEqual([]);
    },
  ),

  'a person at the screen denies the call: it does not run, and a later approval has no effect': needing(
    ['live'],
    async (open) => {
      const { stage, startGated, pendingApproval, decide, executed, decisions } = await openGated(open);
      const session = await startGated('live', stage.script(append('seen'), { say: 'bye' }));
      const approval = await pendingApproval(session, 'seen');
      await stage.waitForEvent(session.id, 'approval.shown');
      await pressUntil(
        () => session.keys(['Escape']),
        async () => (await decisions(session)).length > 0,
      );
      expect(await decisions(session)).toEqual(['no by a person at its screen']);
      expect(await stage.eventNames(session.id, 'approval.used', 'approval.missed')).toEqual([]);
      await expect(decide(approval, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
      expect(executed()).toEqual([]);
    },
  ),
};

/** The watch mode: calls run unless they are denied in time. */
export const GATE_WATCH: Stories = {
  'a watched call is shown and runs; an approval ends the wait, a denial in time prevents the call': async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, executed, waitForTranscript, decisions } =
      await openGated(open);
    const watch = { gate: { mode: 'watch' as const }, policy: { approvalMsMax: 6_000 } };
    const text = stage.script(append('no'), append('yes'), append('shown'), { say: 'bye' });
    const session = await startGated('turns', text, watch);
    await decide(await pendingApproval(session, 'no'), false, { why: 'not that one' });
    await decide(await pendingApproval(session, 'yes'), true);
    await turnEnd(session);
    expect([executed(), await decisions(session)]).toEqual([
      ['yes', 'shown'],
      ['no by ann', 'yes by ann', 'yes by timeout'],
    ]);
    await waitForTranscript('not that one');
  },
};

/** Several pending approvals at a time. */
export const GATE_CROWD: Stories = {
  'parallel calls are decided separately': needing(['questions at once'], async (open) => {
    const { stage, startGated, pendingApproval, decide, turnEnd, waitForTranscript, transcriptHas } =
      await openGated(open);
    const words = ['alpha', 'beta', 'gamma'];
    for (const word of words) writeFileSync(join(stage.workspace, word), `inside of ${word}\n`);
    const together = words.map((word) => `cat ./${word}`);
    const session = await startGated('turns', stage.script({ together }, { say: 'bye' }));
    const approvals = [];
    for (const word of words) approvals.push(await pendingApproval(session, word));
    for (const [i, approval] of [...approvals.entries()].reverse())
      await decide(approval, i !== 1, { why: `because of ${words[i]}` });
    await turnEnd(session);
    // In any order: the agent writes the results down as the calls end, some of them after its reply.
    for (const text of ['inside of alpha', 'because of beta', 'inside of gamma']) await waitForTranscript(text);
    expect(transcriptHas('inside of beta')).toBe(false);
  }),

  'a call of a sub-agent has its own approval, under the name of the sub-agent': needing(
    ['subagents'],
    async (open) => {
      const { startGated, pendingApproval, decide, turnEnd, executed } = await openGated(open);
      const own = script(appendStep('inner'), appendStep('other'), { text: 'inner end' });
      const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
      const session = await startGated('turns', script({ tool: 'Agent', input }, appendStep('outer'), { text: 'bye' }));
      await decide(await pendingApproval(session, 'inner end'), true);
      const inner = await pendingApproval(session, commandFor('inner'));
      expect(inner).toMatchObject({ tool: 'Bash', subagent: expect.stringMatching(/^a[0-9a-f]+$/) });
      await decide(inner, true);
      await decide(await pendingApproval(session, commandFor('other')), false, { why: 'one is enough' });
      const outer = await pendingApproval(session, commandFor('outer'));
      expect(outer.subagent).toBeNull();
      await decide(outer, true);
      await turnEnd(session);
      expect(executed()).toEqual(['inner', 'outer']);
    },
  ),
};
