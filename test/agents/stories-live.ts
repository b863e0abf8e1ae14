import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import { Person } from './person.ts';
import { needing, type Stories } from './stage.ts';
import { argvWith, uniqueWord } from './story-text.ts';

type Screen = 'tmux' | 'pty';

/** The keys that detach without ending anything. */
const DETACH: Readonly<Record<Screen, string>> = { tmux: '\x02d', pty: '\x1c' };

/** Almost the largest prompt that is allowed. */
const LARGEST = `${'0123456789 abcdefghijklmnopqrstuvwxyz-\n'.repeat(26_500)}end`;

/** Where a live process runs: on a screen in tmux or on a pty, or as a server without a screen. */
const PLACES = { tmux: '', pty: ', on a pty', server: ', as a server' } as const;

/** One process for many prompts. */
export function liveStories(place: keyof typeof PLACES): Stories {
  const terminal = place === 'server' ? null : place;
  const all = Object.entries({ ...promptStories(terminal), ...personStories(terminal) });
  return Object.fromEntries(all.map(([sentence, story]) => [sentence + PLACES[place], story]));
}

/** Prompts, interrupts and stops of a live session. */
function promptStories(terminal: Screen | null): Stories {
  const how = terminal === null ? {} : { terminal };
  return {
    'prompts of any size and with any character arrive unchanged, except for what the agent itself changes': async (
      open,
    ) => {
      const stage = await open();
      const session = await stage.startLive(how);
      const word = uniqueWord();
      const texts = [
        'x',
        `a;b 'c' "d" \`e\` $(touch owned) \${HOME} \\ ! # ~ * ? [Pasted text #1 +3 lines] 🐙 ü`,
        'one\ttab\r\ntwo\r\nthree',
        `four\nlines\n\nof text ${word}\n  indented`,
        'marks \x1b[201~ inside \x1b[200~ and \x1b[31mred',
        `${'0123456789 abcdefghijklmnopqrstuvwxyz🐙\n'.repeat(5_000)}end`,
        // A megabyte takes the stand-in and its tmux half a minute, the real agent a second.
        ...(isCampaign || stage.has('model') ? [LARGEST] : []),
      ];
      for (const text of texts) {
        const replied = await session.converse(text, { timeoutMs: 60_000 });
        expect([text.slice(0, 50), replied.met]).toEqual([text.slice(0, 50), 'answered']);
        expect(argvWith(word)).toEqual([]);
      }
      const changed = texts.map(stage.agent.typed);
      await eventually(() => stage.received().length >= texts.length);
      expect(stage.received().map((text) => text.slice(0, 300))).toEqual(changed.map((text) => text.slice(0, 300)));
      expect(stage.received().every((text, i) => text === changed[i])).toBe(true);
    },

    'start returns when the agent is ready, and a prompt arrives once and unchanged': async (open) => {
      const stage = await open();
      const words = terminal === null ? [] : [`--${terminal}`];
      const ran = await stage.cli(['start', '--live', ...words, '--name', 'api', '--ready', '30s']);
      expect(ran.status, ran.stderr).toBe(0);
      const { session, attach, eventsFile } = await stage.world.client.session('api').show();
      expect([session.phase, session.id]).toEqual(['idle', ran.stdout.trim()]);
      if (terminal !== null) expect(session.terminal).toBe(terminal);
      expect([attach, eventsFile, session.transcript]).toEqual([
        stage.has('attach') ? 'outlast attach api' : null,
        expect.stringContaining(session.id),
        stage.has('transcript files') && stage.has('named transcripts')
          ? expect.stringContaining(session.conversation?.slice(0, 8) ?? 'no conversation')
          : null,
      ]);
      for (const text of ['hello', 'and again']) {
        const replied = await stage.cli(['converse', 'api', text]);
        expect([replied.status, replied.stdout], replied.stderr).toEqual([0, `You said: ${text}\n`]);
      }
      await stage.expectReceived(['hello', 'and again'], session.conversation);
      expect((await stage.world.client.session('api').show()).session.run).toBe(1);
      expect((await stage.eventNames('api', 'prompt.')).filter((name) => name === 'prompt.accepted').length).toBe(2);
    },

    'three prompts for a busy agent are queued in the journal and typed one after the other': async (open) => {
      const stage = await open();
      const go = join(stage.root, 'go');
      const session = await stage.startLive(how);
      const zero = await session.prompt(stage.untilFile(go, 'zero'));
      await stage.waitForCall(session.id);
      const given = [zero];
      for (const text of ['one', 'two', 'three']) given.push(await session.prompt(text));
      expect((await session.waitFor('idle', { timeoutMs: 300 })).met).toBe('nothing');
      writeFileSync(go, '');
      expect((await session.waitFor('idle', { timeoutMs: 40_000 })).met).toBe('idle');
      const replies = [];
      for (const { prompt } of given) replies.push((await session.reply({ prompt })).reply);
      expect(replies).toEqual(['zero', 'You said: one', 'You said: two', 'You said: three']);
      await stage.expectReceived([stage.untilFile(go, 'zero'), 'one', 'two', 'three']);
    },

    'a prompt with --now is sent into the running turn, and the command says so': needing(
      ['steering'],
      async (open) => {
        const stage = await open({ faults: { ...RUDE, lostEnters: 0 } });
        const go = join(stage.root, 'go');
        const session = await stage.startLive({ ...how, name: 'api' });
        await session.prompt(stage.untilFile(go, 'steered'));
        await stage.waitForCall(session.id);
        const steering = stage.cli(['prompt', 'api', '--now', 'left please']);
        const ran = await steering;
        expect(ran.status, ran.stderr).toBe(0);
        expect(ran.stderr).toMatch(/into the (running )?turn|running turn/);
        writeFileSync(go, '');
        expect((await session.waitFor('idle', { timeoutMs: 60_000 })).met).toBe('idle');
        const [id = ''] = ran.stdout.trim().split(' ');
        expect((await session.reply({ prompt: id })).met).toBe('answered');
        await stage.expectReceived([stage.untilFile(go, 'steered'), 'left please']);
      },
    ),

    'an interrupted turn ends without a report of a hook, and the next prompt arrives alone': async (open) => {
      const stage = await open();
      const session = await stage.startLive({ ...how, name: 'api' });
      const { prompt } = await session.prompt(stage.untilFile(join(stage.root, 'never'), 'x'));
      await stage.waitForCall(session.id);
      const ran = await stage.cli(['interrupt', 'api']);
      expect(ran.status, ran.stderr).toBe(0);
      expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
      expect((await session.converse('next', { timeoutMs: 60_000 })).reply).toBe('You said: next');
      await stage.expectReceived([stage.untilFile(join(stage.root, 'never'), 'x'), 'next']);
    },

    'a turn interrupted before any output puts its text back into the input box, and the next prompt arrives alone':
      needing(['prompts apart'], async (open) => {
        const stage = await open();
        const session = await stage.startLive(how);
        const hanging = stage.script({ silent: true });
        const { prompt } = await session.prompt(hanging);
        await stage.waitForEvent(session.id, 'prompt.accepted');
        await session.interrupt();
        expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
        const next = await session.converse('alone', { timeoutMs: 60_000 });
        expect([next.met, next.reply]).toEqual(['answered', 'You said: alone']);
        await eventually(() => stage.received().at(-1) === 'alone', {
          what: `the last of ${JSON.stringify(stage.received())}`,
        });
      }),

    'stop ends every process, including a tool in its own process session': async (open) => {
      const stage = await open();
      const session = await stage.startLive({ ...how, name: 'api' });
      const pids = join(stage.root, 'pid');
      const child = `setsid sh -c 'echo $$ >${pids}; exec sleep 1000' </dev/null >/dev/null 2>&1 &`;
      const command = `${child} until [ -s ${pids} ]; do sleep 0.02; done`;
      const prompt = stage.script({ run: command }, { say: 'left something' });
      expect((await session.converse(prompt, { timeoutMs: 60_000 })).reply).toBe('left something');
      expect(stage.processes().length).toBeGreaterThan(1);
      const ran = await stage.cli(['stop', 'api']);
      expect(ran.status, ran.stderr).toBe(0);
      expect(stage.processes()).toEqual([]);
      expect((await session.show()).session.outcome?.kind).toBe('stopped');
    },
  };
}

/** A person uses the screen of a live session. */
function personStories(terminal: Screen | null): Stories {
  const how = terminal === null ? {} : { terminal };
  return {
    "a person's draft is left alone: the prompt waits with a reason, and is sent when the draft is gone": needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.startLive({ ...how, name: 'api' });
        await stage.cli(['keys', 'api', 'm', 'y', '-', 'd', 'r', 'a', 'f', 't']);
        await eventually(async () => (await session.screen()).rows.join('\n').includes('my-draft'));
        const { prompt } = await session.prompt('ours');
        const waiting = await stage.waitForEvent(session.id, 'prompt.waiting');
        expect(String(waiting.body.why)).toMatch(/draft|typed|box/);
        expect((await session.screen()).rows.join('\n')).toContain('my-draft');
        expect((await session.screen()).rows.join('\n')).not.toContain('ours');
        expect((await session.waitFor('idle', { timeoutMs: 300 })).met).toBe('nothing');
        await stage.cli(['keys', 'api', ...Array<string>(8).fill('BSpace')]);
        const replied = await session.reply({ prompt, timeoutMs: 60_000 });
        expect([replied.met, replied.reply]).toEqual(['answered', 'You said: ours']);
        await stage.expectReceived(['ours']);
      },
    ),

    'while a person is attached, prompts wait and their typing is theirs; detaching returns control': needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.startLive({ ...how, name: 'api' });
        await using person = new Person(stage, 'attach', 'api');
        await stage.waitForEvent(session.id, 'control.taken');
        const { prompt } = await session.prompt('ours');
        await stage.waitForEvent(session.id, 'prompt.waiting');
        person.type('by hand');
        await eventually(async () => (await session.screen()).rows.join('\n').includes('by hand'));
        person.type('\r');
        await person.waitForText('You said: by hand');
        await stage.waitForEvent(session.id, 'turn.ended');
        expect((await session.show()).session.control?.how).toBe('attach');
        expect((await session.show()).session.prompts.map(({ state }) => state)).toEqual(['queued']);
        person.type(DETACH[terminal ?? 'tmux']);
        expect(await person.waitForExit()).toBe(0);
        const replied = await session.reply({ prompt, timeoutMs: 60_000 });
        expect([replied.met, replied.reply]).toEqual(['answered', 'You said: ours']);
        expect(await stage.eventNames(session.id, 'control.')).toEqual(['control.taken', 'control.returned']);
        await stage.expectReceived(['by hand', 'ours']);
      },
    ),

    'a read-only viewer changes nothing: prompts continue, and what the person types is discarded': needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.startLive({ ...how, name: 'api' });
        await using person = new Person(stage, 'attach', 'api', '--read-only');
        await person.waitForText(stage.agent.screen.ready);
        person.type('unwanted\r');
        expect((await session.converse('wanted', { timeoutMs: 60_000 })).reply).toBe('You said: wanted');
        await person.waitForText('You said: wanted');
        expect(await stage.eventNames(session.id, 'control.')).toEqual([]);
        await stage.expectReceived(['wanted']);
      },
    ),

    'handoff gives control to a person until handoff --back': needing(['screen'], async (open) => {
      const stage = await open();
      const session = await stage.startLive({ ...how, name: 'api' });
      const handed = await stage.cli(['handoff', 'api']);
      expect([handed.status, handed.stdout]).toEqual([0, expect.stringMatching(/attach api[\s\S]*Ctrl-/)]);
      const { prompt } = await session.prompt('patience');
      const waiting = await stage.waitForEvent(session.id, 'prompt.waiting');
      expect(String(waiting.body.why)).toContain('control');
      expect((await stage.cli(['stop', 'api'])).status).not.toBe(0);
      expect((await session.show()).session.phase).toBe('idle');
      expect((await stage.cli(['handoff', 'api', '--back'])).status).toBe(0);
      expect((await session.reply({ prompt, timeoutMs: 60_000 })).reply).toBe('You said: patience');
      expect(await stage.eventNames(session.id, 'control.')).toEqual(['control.taken', 'control.returned']);
      await stage.expectReceived(['patience']);
    }),
  };
}

/** Live sessions on a machine without tmux. */
export const NO_TMUX: Stories = {
  'a live session works without tmux: ready, prompt, interrupt, stop': async (open) => {
    const stage = await open({ lacksTmux: true });
    const session = await stage.startLive();
    expect((await session.show()).session.terminal).toBe('pty');
    expect((await session.converse('hello', { timeoutMs: 60_000 })).reply).toBe('You said: hello');
    const { prompt } = await session.prompt(stage.untilFile(join(stage.root, 'never'), 'x'));
    await stage.waitForCall(session.id);
    await session.interrupt();
    expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
    await session.stop();
    expect(stage.processes()).toEqual([]);
  },
};
