import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { needing, type Play, type Stories } from './stage.ts';

type Drive = 'turns' | 'live';

/** Two sessions in one folder that get prompts at the same time. */
function mixStory(drive: Drive): Play {
  return async (open) => {
    const stage = await open();
    const opened = ['a', 'b'].map((name) => stage.startDriven(drive, { name }));
    const [a, b] = await Promise.all(opened);
    if (a === undefined || b === undefined) throw new Error('expected two sessions');
    const texts = (name: string): string[] => [1, 2].map((n) => `${name} says ${n}`);
    const replies = await Promise.all(
      [a, b].map(async (session, i) => {
        const said = [];
        for (const text of texts('ab'[i] ?? '')) said.push((await session.converse(text, { timeoutMs: 40_000 })).reply);
        return said;
      }),
    );
    expect(replies).toEqual(['a', 'b'].map((name) => texts(name).map((text) => `You said: ${text}`)));
    for (const [i, session] of [a, b].entries())
      await stage.expectReceived(texts('ab'[i] ?? ''), (await session.show()).session.conversation);
  };
}

/** Several callers prompt one session at the same time. */
function callersStory(drive: Drive): Play {
  return async (open) => {
    const stage = await open();
    const session = await stage.startDriven(drive, { name: 'api' });
    const asked = ['one', 'two', 'three'].map((text) => stage.cli(['converse', 'api', text]));
    const ran = await Promise.all(asked);
    expect(ran.map(({ status, stdout }) => [status, stdout])).toEqual([
      [0, 'You said: one\n'],
      [0, 'You said: two\n'],
      [0, 'You said: three\n'],
    ]);
    await eventually(() => stage.received().length >= 3);
    expect(stage.received((await session.show()).session.conversation).sort()).toEqual(['one', 'three', 'two']);
  };
}

/** Sessions and callers do not get in each other's way. */
export const APART: Stories = {
  "two sessions in one folder never get each other's prompts or replies (turns)": mixStory('turns'),
  "two sessions in one folder never get each other's prompts or replies (live)": mixStory('live'),
  'callers that converse at the same time each get the reply to their own prompt (turns)': callersStory('turns'),
  'callers that converse at the same time each get the reply to their own prompt (live)': callersStory('live'),

  'nothing sent to an ended session reaches another session whose name starts with the same text': needing(
    ['live', 'screen'],
    async (open) => {
      const stage = await open();
      const dead = await stage.startLive({ name: 'api' });
      const alive = await stage.startLive({ name: 'api-2' });
      await dead.stop();
      for (const words of [
        ['converse', 'api', 'not for you'],
        ['prompt', 'api', 'not for you'],
        ['keys', 'api', 'x'],
        ['interrupt', 'api'],
        ['handoff', 'api'],
      ])
        expect([words[0], (await stage.cli(words)).status === 0]).toEqual([words[0], false]);
      expect((await alive.converse('for you', { timeoutMs: 60_000 })).reply).toBe('You said: for you');
      expect((await alive.screen()).rows.join('\n')).not.toContain('not for you');
      await stage.expectReceived(['for you']);
    },
  ),

  'the name of an ended session can be reused, and then refers to the new session only': needing(
    ['turns'],
    async (open) => {
      const stage = await open();
      const first = await stage.start({ name: 'api', prompt: 'old', keepOpen: false });
      await first.waitFor('ended', { timeoutMs: 60_000 });
      const second = await stage.start({ name: 'api' });
      expect((await stage.cli(['converse', 'api', 'new'])).stdout).toBe('You said: new\n');
      await expect(stage.start({ name: 'api' })).rejects.toThrow(/api/);
      const conversations = [first, second].map(async (session) => (await session.show()).session.conversation);
      await stage.expectReceived(['old'], await conversations[0]);
      await stage.expectReceived(['new'], await conversations[1]);
      await expect(first.resume()).rejects.toThrow(/live|taken/);
    },
  ),

  'twenty sessions at the same time each get the right reply': needing(['turns'], async (open) => {
    const stage = await open({ faults: { startMs: 100, hookMs: 5, doubled: true, flushMs: 200 } });
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const session = await stage.start({ name: `s${i}`, prompt: `number ${i}` });
        return (await session.reply({ timeoutMs: 180_000 })).reply;
      }),
    );
    expect(all).toEqual(Array.from({ length: 20 }, (_, i) => `You said: number ${i}`));
    await eventually(() => new Set(stage.received()).size === 20 && stage.received().length === 20);
  }),

  'in a pipeline the second session starts when the first has replied, with that reply in its prompt': needing(
    ['turns'],
    async (open) => {
      const stage = await open();
      const go = join(stage.root, 'go');
      await stage.start({ name: 'a', prompt: stage.untilFile(go, 'forty-two $(id) {{a.reply}}') });
      const b = await stage.cli(['start', '--name', 'b', '--after', 'a', 'Review: {{a.reply}}!']);
      expect(b.status, b.stderr).toBe(0);
      expect((await stage.cli(['wait', 'b', '--for', 'idle', '--timeout', '500ms'])).status).toBe(6);
      expect((await stage.eventNames('b', 'prompt.')).filter((name) => name === 'prompt.sending')).toEqual([]);
      writeFileSync(go, '');
      const replied = await stage.cli(['wait', 'b', '--for', 'reply', '--timeout', '30s']);
      expect([replied.status, replied.stdout]).toEqual([0, 'You said: Review: forty-two $(id) {{a.reply}}!\n']);
    },
  ),

  'a pipeline stops and reports the failure when its first step fails': needing(['turns'], async (open) => {
    const stage = await open();
    await stage.start({ name: 'a', prompt: stage.script({ fail: 400 }) });
    await stage.cli(['start', '--name', 'b', '--after', 'a', 'Review: {{a.reply}}']);
    const waited = await stage.cli(['wait', 'b', '--for', 'reply', '--timeout', '30s']);
    expect([waited.status, waited.stdout, waited.stderr]).toEqual([8, '', expect.stringMatching(/\ba\b/)]);
    expect(stage.received().filter((text) => text.includes('Review'))).toEqual([]);
  }),
};
