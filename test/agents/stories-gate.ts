import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pressUntil } from '../press.ts';
import { bash, commandFor, type Drive, leaves, openGated } from './gated.ts';
import type { Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

// What is said about a tool call is what becomes of it, with any agent.

const rule = (word: string): string => `Bash(${commandFor(word)})`;

function rulesStory(drive: Drive): Story {
  return async (open) => {
    const { stage, begin, over, made, reads, decisions } = await openGated(open);
    const gate = { mode: 'gate' as const, allow: [rule('yes')], deny: [rule('no')] };
    const text = script(leaves('yes'), leaves('no'), { text: 'bye' });
    const session = await begin(drive, text, { gate });
    await over(session);
    expect([made(), await decisions(session)]).toEqual([['yes'], ['yes by rules', 'no by rules']]);
    await reads(`deny ${rule('no')}`);
    expect(await stage.names(session.id, 'approval.used')).toHaveLength(1);
  };
}

function answersStory(drive: Drive): Story {
  return async (open) => {
    const { begin, asked, say, over, made, reads, decisions } = await openGated(open);
    const session = await begin(drive, script(leaves('one'), leaves('two'), leaves('three'), { text: 'bye' }));
    const first = await asked(session, 'one');
    expect(made()).toEqual([]);
    await say(first, true);
    await say(await asked(session, 'two'), false, { why: 'the third is better' });
    await say(await asked(session, 'three'), true);
    await over(session);
    expect([made(), await decisions(session)]).toEqual([
      ['one', 'three'],
      ['yes by ann', 'no by ann', 'yes by ann'],
    ]);
    await reads('the third is better');
  };
}

function lateStory(drive: Drive): Story {
  return async (open) => {
    const { stage, begin, over, made, reads, decisions } = await openGated(open);
    // T-GATE-13: long enough for a dialog to look as if it stayed.
    const approvalMsMax = drive === 'live' ? 3_500 : 1_500;
    const session = await begin(drive, script(leaves('late'), { text: 'bye' }), { policy: { approvalMsMax } });
    await over(session);
    expect([made(), await decisions(session)]).toEqual([[], ['no by timeout']]);
    // T-GATE-14: what was denied was not used.
    expect(await stage.names(session.id, 'session.held', 'approval.used', 'approval.missed')).toEqual([]);
    await reads('no answer in time');
  };
}

/** Answers of rules and people. */
export const GATE_ANSWERS: Stories = {
  'what a rule allows is made at once, what a rule denies is not, and the agent reads why (turns)': rulesStory('turns'),
  'what a rule allows is made at once, what a rule denies is not, and the agent reads why (live)': rulesStory('live'),
  'what somebody allows is made, what is denied is not, and the agent reads the reason (turns)': answersStory('turns'),
  'what somebody allows is made, what is denied is not, and the agent reads the reason (live)': answersStory('live'),
  'nobody answers: the call is denied, and the agent reads that (turns)': lateStory('turns'),
  'nobody answers: the call is denied, and the agent reads that (live)': lateStory('live'),

  'a changed call is made instead of the one that was asked about': async (open) => {
    const { begin, asked, say, over, made } = await openGated(open);
    const session = await begin('turns', script(leaves('asked'), { text: 'bye' }));
    const edit = { command: commandFor('changed'), description: 'x' };
    await say(await asked(session, 'asked'), true, { edit });
    await over(session);
    expect(made()).toEqual(['changed']);
  },

  'a call that the agent shows in a dialog is not changed: whoever tries is told, and a plain yes still counts': async (
    open,
  ) => {
    const { stage, begin, asked, say, over, made, decisions } = await openGated(open);
    const session = await begin('live', script(leaves('asked'), { text: 'bye' }));
    const question = await asked(session, 'asked');
    const edit = JSON.stringify({ command: commandFor('changed'), description: 'x' });
    const refused = await stage.cli(['approve', question.id, '--edit', edit]);
    expect([refused.status, refused.stderr]).toEqual([
      4,
      expect.stringMatching(/shows a dialog about this call.*deny/s),
    ]);
    expect([made(), await decisions(session)]).toEqual([[], []]);
    await say(question, true);
    await over(session);
    expect([made(), await decisions(session)]).toEqual([['asked'], ['yes by ann']]);
  },

  'a person at the screen says yes: the call is made, and the journal says who it was': async (open) => {
    const { stage, begin, asked, over, made, decisions } = await openGated(open, { manners: {} });
    const session = await begin('live', script(leaves('seen'), { text: 'bye' }));
    await asked(session, 'seen');
    await stage.happens(session.id, 'approval.shown');
    await pressUntil(
      () => session.keys(['Enter']),
      () => made().length > 0,
    );
    await over(session);
    expect([made(), await decisions(session)]).toEqual([['seen'], ['yes by a person at its screen']]);
    expect(await stage.names(session.id, 'approval.breached')).toEqual([]);
  },

  'a person at the screen says no: the call is not made, and a yes from elsewhere changes nothing': async (open) => {
    const { stage, begin, asked, say, made, decisions } = await openGated(open);
    const session = await begin('live', script(leaves('seen'), { text: 'bye' }));
    const question = await asked(session, 'seen');
    await stage.happens(session.id, 'approval.shown');
    await pressUntil(
      () => session.keys(['Escape']),
      async () => (await decisions(session)).length > 0,
    );
    expect(await decisions(session)).toEqual(['no by a person at its screen']);
    expect(await stage.names(session.id, 'approval.used', 'approval.missed')).toEqual([]);
    await expect(say(question, true)).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
    expect(made()).toEqual([]);
  },
};

/** Calls that are only watched. */
export const GATE_WATCH: Stories = {
  'a watched call is shown and made; a yes ends the wait, a no in time stops it': async (open) => {
    const { begin, asked, say, over, made, reads, decisions } = await openGated(open);
    const watch = { gate: { mode: 'watch' as const }, policy: { approvalMsMax: 6_000 } };
    const text = script(leaves('no'), leaves('yes'), leaves('shown'), { text: 'bye' });
    const session = await begin('turns', text, watch);
    await say(await asked(session, 'no'), false, { why: 'not that one' });
    await say(await asked(session, 'yes'), true);
    await over(session);
    expect([made(), await decisions(session)]).toEqual([
      ['yes', 'shown'],
      ['no by ann', 'yes by ann', 'yes by timeout'],
    ]);
    await reads('not that one');
  },
};

/** Several calls at a time. */
export const GATE_CROWD: Stories = {
  'calls at the same time each have their own answer': async (open) => {
    const { stage, begin, asked, say, over, reads, hasRead } = await openGated(open);
    const words = ['alpha', 'beta', 'gamma'];
    for (const word of words) writeFileSync(join(stage.workspace, word), `inside of ${word}\n`);
    const tools = words.map((word) => bash(`cat ./${word}`));
    const session = await begin('turns', script({ tools }, { text: 'bye' }));
    const questions = [];
    for (const word of words) questions.push(await asked(session, word));
    for (const [i, question] of [...questions.entries()].reverse())
      await say(question, i !== 1, { why: `because of ${words[i]}` });
    await over(session);
    await reads('because of beta');
    await reads('inside of gamma');
    expect(words.map((word) => hasRead(`inside of ${word}`))).toEqual([true, false, true]);
  },

  'a call of a sub-agent is asked about under its own name, and has its own answer': async (open) => {
    const { begin, asked, say, over, made } = await openGated(open);
    const own = script(leaves('inner'), leaves('other'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const session = await begin('turns', script({ tool: 'Agent', input }, leaves('outer'), { text: 'bye' }));
    await say(await asked(session, 'inner end'), true);
    const inner = await asked(session, commandFor('inner'));
    expect(inner).toMatchObject({ tool: 'Bash', subagent: expect.stringMatching(/^a[0-9a-f]+$/) });
    await say(inner, true);
    await say(await asked(session, commandFor('other')), false, { why: 'one is enough' });
    const outer = await asked(session, commandFor('outer'));
    expect(outer.subagent).toBeNull();
    await say(outer, true);
    await over(session);
    expect(made()).toEqual(['inner', 'outer']);
  },
};
