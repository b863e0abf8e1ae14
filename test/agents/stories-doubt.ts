import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { MUTE, RUDE } from '../scripted/manners.ts';
import { needing, type Stories } from './stage.ts';
import { script } from './story-text.ts';

/** Unsure prompts, failures and waits. */
export const DOUBTS: Stories = {
  'a prompt that cannot be confirmed is unsure: every caller is told, it is never resent, and only a person drops it':
    needing(['live', 'faults on command'], async (open) => {
      const stage = await open({ faults: { ...RUDE, lostEnters: 1_000 } });
      const session = await stage.startLive({ name: 'api' });
      const asked = await stage.cli(['converse', 'api', 'into the void', '--wait', '40s']);
      expect([asked.status, asked.stdout]).toEqual([7, '']);
      const drop = /outlast (prompt api --drop \S+)/.exec(asked.stderr)?.[1] ?? '';
      // T-UNSURE-1: the next caller is told which prompt is in the way.
      const behind = await stage.cli(['converse', 'api', 'behind it', '--wait', '40s']);
      expect([behind.status, behind.stderr]).toEqual([7, expect.stringContaining(`outlast ${drop}\n`)]);
      const prompt = (await session.show()).session.prompts[1]?.id;
      expect((await stage.cli(['wait', 'api', '--for', 'idle', '--timeout', '20s'])).status).toBe(7);
      expect((await session.show()).session.prompts.map(({ state }) => state)).toEqual(['unsure', 'queued']);
      expect((await stage.eventNames(session.id, 'prompt.sending')).length).toBe(1);
      expect((await stage.cli(drop.split(' '))).status).toBe(0);
      await stage.waitForEvent(session.id, 'prompt.dropped');
      // Whether a person or the daemon clears the box: a dropped prompt is never part of the next one.
      await session.keys(['C-u', 'C-u']);
      await stage.waitForEvent(session.id, 'prompt.sending', 2);
      expect((await session.reply({ prompt: String(prompt), timeoutMs: 60_000 })).met).toBe('unsure');
      expect((await session.screen()).rows.join('\n')).not.toContain('into the void');
      expect(stage.received()).toEqual([]);
    }),

  'the state of an agent that reports neither start nor end of a turn is read from its files and its screen': needing(
    ['live', 'faults on command'],
    async (open) => {
      const stage = await open({ faults: { ...RUDE, ...MUTE } });
      for (const session of [await stage.start(), await stage.startLive()])
        for (const text of ['one', 'two']) {
          const replied = await session.converse(text, { timeoutMs: 60_000 });
          expect([replied.met, replied.reply]).toEqual(['answered', `You said: ${text}`]);
        }
      await eventually(() => stage.received().length >= 4);
      expect(stage.received().sort()).toEqual(['one', 'one', 'two', 'two']);
    },
  ),

  'the state of an agent without a state file is read from its screen': needing(
    ['live', 'faults on command'],
    async (open) => {
      const stage = await open({ faults: { ...RUDE, stateFile: false } });
      const session = await stage.startLive();
      expect((await session.converse('one', { timeoutMs: 60_000 })).reply).toBe('You said: one');
      const { prompt } = await session.prompt(stage.untilFile(join(stage.root, 'never'), 'x'));
      await stage.waitForCall(session.id);
      await session.interrupt();
      expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
    },
  ),

  'a failure of the model in a live session fails the prompt, and the next one is answered': needing(
    ['live'],
    async (open) => {
      const stage = await open();
      const session = await stage.startLive({ name: 'api' });
      const failed = await stage.cli(['converse', 'api', stage.script({ fail: 404 }, { say: 'better now' })]);
      expect([failed.status, failed.stdout]).toEqual([8, '']);
      expect((await session.show()).session.lastTurn?.how).toBe('failed');
      // An agent may have asked less often than its script expects, and ask again with the next prompt.
      stage.model?.recover();
      const fine = await session.converse('still there?', { timeoutMs: 60_000 });
      expect([fine.met, fine.reply]).toEqual(['answered', expect.stringMatching(/still there|better now/)]);
      expect((await stage.eventNames(session.id, 'prompt.failed')).length).toBe(1);
    },
  ),

  'wait accepts several sessions and returns on all of them, or on the first': needing(['turns'], async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    await stage.start({ name: 'quick', prompt: 'q' });
    await stage.start({ name: 'slow', prompt: stage.untilFile(go, 'late') });
    const any = await stage.cli(['wait', 'quick', 'slow', '--any', '--for', 'idle', '--timeout', '30s']);
    expect([any.status, any.stdout]).toEqual([0, expect.stringMatching(/^quick/)]);
    expect((await stage.cli(['wait', 'quick', 'slow', '--all', '--for', 'idle', '--timeout', '200ms'])).status).toBe(6);
    writeFileSync(go, '');
    const all = await stage.cli(['wait', 'quick', 'slow', '--for', 'reply', '--timeout', '30s']);
    expect([all.status, all.stdout]).toEqual([
      0,
      expect.stringMatching(/You said: q[\s\S]*late|late[\s\S]*You said: q/),
    ]);
  }),

  'wait accepts the cursor that prompt prints, however late': needing(['turns'], async (open) => {
    const stage = await open();
    await stage.start({ name: 'api' });
    const given = await stage.cli(['prompt', 'api', 'hello']);
    const [id = '', cursor = ''] = given.stdout.trim().split(' ');
    expect((await stage.cli(['wait', 'api', '--for', 'idle', '--timeout', '30s'])).status).toBe(0);
    const waited = await stage.cli([
      'wait',
      'api',
      '--for',
      'event:prompt.answered',
      '--after',
      cursor,
      '--timeout',
      '5s',
    ]);
    expect(waited.status, waited.stderr).toBe(0);
    const reply = await stage.cli(['wait', 'api', '--for', `reply:${id}`]);
    expect([reply.status, reply.stdout]).toEqual([0, 'You said: hello\n']);
    expect((await stage.cli(['wait', 'api', '--for', 'reply:unknown'])).status).toBe(3);
  }),

  'a wait ends at once when the session ends, with its own exit status': needing(['turns'], async (open) => {
    const stage = await open();
    const session = await stage.start({ name: 'api', prompt: stage.untilFile(join(stage.root, 'never'), 'x') });
    await stage.waitForCall(session.id);
    const waits = ['idle', 'reply', 'held', 'event:approval.asked'].map((what) =>
      stage.cli(['wait', 'api', '--for', what, '--timeout', '30s']),
    );
    const asking = stage.cli(['converse', 'api', 'never sent', '--wait', '30s']);
    await eventually(async () => (await session.show()).session.prompts.length === 2);
    await session.stop();
    expect((await Promise.all([...waits, asking])).map(({ status }) => status)).toEqual([4, 4, 4, 4, 4]);
    expect(stage.received()).not.toContain('never sent');
  }),

  'a turn can be read as soon as its reply is known, however late the agent writes its transcript': needing(
    ['turns', 'live'],
    async (open) => {
      const stage = await open({ faults: { flushMs: 1_000 } });
      await stage.start({ name: 'turns' });
      await stage.startLive({ name: 'live' });
      for (const name of ['turns', 'live'])
        for (const word of ['first', 'second']) {
          const prompt = stage.script({ run: `echo the ${word}` }, { say: `${word} done` });
          const ran = await stage.cli(['converse', name, '--with-turn', prompt]);
          expect([name, ran.status, ran.stdout], ran.stderr).toEqual([
            name,
            0,
            expect.stringContaining(`echo the ${word}`),
          ]);
          expect(ran.stdout).toContain(`${word} done`);
          const read = await stage.cli(['turn', name]);
          expect([read.status, read.stdout]).toEqual([0, ran.stdout]);
        }
    },
  ),

  'a sub-agent is reported once, and is in the turn as Markdown': needing(['turns', 'subagents'], async (open) => {
    const stage = await open();
    const session = await stage.start({ name: 'api' });
    const sub = { description: 'look around', prompt: script({ text: 'found it' }), subagent_type: 'general-purpose' };
    const prompt = script({ say: 'I ask another.', tool: 'Agent', input: sub }, { text: 'all together' });
    expect((await session.converse(prompt, { timeoutMs: 60_000 })).met).toBe('answered');
    expect(await stage.eventNames(session.id, 'subagent.')).toEqual(['subagent.started', 'subagent.ended']);
    const shown = await eventually(async () => {
      const { stdout } = await stage.cli(['turn', 'api', '1', '--full']);
      return stdout.includes('I ask another.') && stdout;
    });
    expect(shown).toMatch(/Agent|look around/);
    expect(shown).not.toContain('[object Object]');
  }),
};
