import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import { Person } from './person.ts';
import { needing, type Stories } from './stage.ts';
import { argvWith, secretWord } from './story-text.ts';

type Screen = 'tmux' | 'pty';

/** How a person leaves without ending anything. */
const DETACH: Readonly<Record<Screen, string>> = { tmux: '\x02d', pty: '\x1c' };

/** Almost as large as a prompt may be. */
const LARGEST = `${'0123456789 abcdefghijklmnopqrstuvwxyz-\n'.repeat(26_500)}end`;

/** Where a process that stays is: behind a screen in tmux or on a pty of ours, or without a screen. */
const PLACES = { tmux: '', pty: ', on a pty', server: ', as a server' } as const;

/** One process that stays. */
export function liveStories(place: keyof typeof PLACES): Stories {
  const terminal = place === 'server' ? null : place;
  const all = Object.entries({ ...promptStories(terminal), ...personStories(terminal) });
  return Object.fromEntries(all.map(([sentence, story]) => [sentence + PLACES[place], story]));
}

/** Prompts, and what becomes of them. */
function promptStories(terminal: Screen | null): Stories {
  const how = terminal === null ? {} : { terminal };
  return {
    'prompts of any size and with any character are heard as they were given, but for what the agent itself changes':
      async (open) => {
        const stage = await open();
        const session = await stage.live(how);
        const word = secretWord();
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
          const replied = await session.converse(text, { timeoutMs: 30_000 });
          expect([text.slice(0, 50), replied.met]).toEqual([text.slice(0, 50), 'answered']);
          expect(argvWith(word)).toEqual([]);
        }
        const changed = texts.map(stage.agent.typed);
        await eventually(() => stage.heard().length >= texts.length);
        expect(stage.heard().map((text) => text.slice(0, 300))).toEqual(changed.map((text) => text.slice(0, 300)));
        expect(stage.heard().every((text, i) => text === changed[i])).toBe(true);
      },

    'start says when the agent is ready, and a prompt is heard once, as it was given': async (open) => {
      const stage = await open();
      const words = terminal === null ? [] : [`--${terminal}`];
      const ran = await stage.cli(['start', '--live', ...words, '--name', 'api', '--ready', '30s']);
      expect(ran.status, ran.stderr).toBe(0);
      const { session, attach, eventsFile } = await stage.world.client.session('api').show();
      expect([session.phase, session.id]).toEqual(['idle', ran.stdout.trim()]);
      if (terminal !== null) expect(session.terminal).toBe(terminal);
      expect([attach, eventsFile, session.transcript]).toEqual([
        'outlast attach api',
        expect.stringContaining(session.id),
        expect.stringContaining(`${session.conversation}.jsonl`),
      ]);
      for (const text of ['hello', 'and again']) {
        const replied = await stage.cli(['converse', 'api', text]);
        expect([replied.status, replied.stdout], replied.stderr).toEqual([0, `You said: ${text}\n`]);
      }
      await stage.hears(['hello', 'and again'], session.conversation);
      expect((await stage.world.client.session('api').show()).session.run).toBe(1);
      expect((await stage.names('api', 'prompt.')).filter((name) => name === 'prompt.accepted').length).toBe(2);
    },

    'three prompts for a busy agent wait in our journal and are typed one after the other': async (open) => {
      const stage = await open();
      const go = join(stage.root, 'go');
      const session = await stage.live(how);
      const zero = await session.prompt(stage.untilFile(go, 'zero'));
      await stage.happens(session.id, 'tool.called');
      const given = [zero];
      for (const text of ['one', 'two', 'three']) given.push(await session.prompt(text));
      expect((await session.waitFor('idle', { timeoutMs: 300 })).met).toBe('nothing');
      writeFileSync(go, '');
      expect((await session.waitFor('idle', { timeoutMs: 40_000 })).met).toBe('idle');
      const replies = [];
      for (const { prompt } of given) replies.push((await session.reply({ prompt })).reply);
      expect(replies).toEqual(['zero', 'You said: one', 'You said: two', 'You said: three']);
      await stage.hears([stage.untilFile(go, 'zero'), 'one', 'two', 'three']);
    },

    'a prompt with --now goes into the turn that is running, and says so': needing(['steering'], async (open) => {
      const stage = await open({ manners: { ...RUDE, lostEnters: 0 } });
      const go = join(stage.root, 'go');
      const session = await stage.live({ ...how, name: 'api' });
      await session.prompt(stage.untilFile(go, 'steered'));
      await stage.happens(session.id, 'tool.called');
      const steering = stage.cli(['prompt', 'api', '--now', 'left please']);
      const ran = await steering;
      expect(ran.status, ran.stderr).toBe(0);
      expect(ran.stderr).toMatch(/into the (running )?turn|running turn/);
      writeFileSync(go, '');
      expect((await session.waitFor('idle', { timeoutMs: 30_000 })).met).toBe('idle');
      const [id = ''] = ran.stdout.trim().split(' ');
      expect((await session.reply({ prompt: id })).met).toBe('answered');
      await stage.hears([stage.untilFile(go, 'steered'), 'left please']);
    }),

    'an interrupted turn is over though no hook says so, and the next prompt arrives alone': async (open) => {
      const stage = await open();
      const session = await stage.live({ ...how, name: 'api' });
      const { prompt } = await session.prompt(stage.untilFile(join(stage.root, 'never'), 'x'));
      await stage.happens(session.id, 'tool.called');
      const ran = await stage.cli(['interrupt', 'api']);
      expect(ran.status, ran.stderr).toBe(0);
      expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
      expect((await session.converse('next', { timeoutMs: 30_000 })).reply).toBe('You said: next');
      await stage.hears([stage.untilFile(join(stage.root, 'never'), 'x'), 'next']);
    },

    'a turn that is interrupted before any output gives its text back, and the next prompt arrives alone': async (
      open,
    ) => {
      const stage = await open();
      const session = await stage.live(how);
      const hanging = stage.script({ silent: true });
      const { prompt } = await session.prompt(hanging);
      await stage.happens(session.id, 'prompt.accepted');
      await session.interrupt();
      expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
      const next = await session.converse('alone', { timeoutMs: 30_000 });
      expect([next.met, next.reply]).toEqual(['answered', 'You said: alone']);
      await eventually(() => stage.heard().at(-1) === 'alone', {
        what: `the last of ${JSON.stringify(stage.heard())}`,
      });
    },

    'stop leaves nothing running, a tool in a session of its own included': async (open) => {
      const stage = await open();
      const session = await stage.live({ ...how, name: 'api' });
      const pids = join(stage.root, 'pid');
      const child = `setsid sh -c 'echo $$ >${pids}; exec sleep 1000' </dev/null >/dev/null 2>&1 &`;
      const command = `${child} until [ -s ${pids} ]; do sleep 0.02; done`;
      const prompt = stage.script({ run: command }, { say: 'left something' });
      expect((await session.converse(prompt, { timeoutMs: 30_000 })).reply).toBe('left something');
      expect(stage.processes().length).toBeGreaterThan(1);
      const ran = await stage.cli(['stop', 'api']);
      expect(ran.status, ran.stderr).toBe(0);
      expect(stage.processes()).toEqual([]);
      expect((await session.show()).session.outcome?.kind).toBe('stopped');
    },
  };
}

/** A person is at the screen. */
function personStories(terminal: Screen | null): Stories {
  const how = terminal === null ? {} : { terminal };
  return {
    "a person's draft is neither mixed nor overwritten: the prompt waits, says why, and goes when it is gone": needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.live({ ...how, name: 'api' });
        await stage.cli(['keys', 'api', 'm', 'y', '-', 'd', 'r', 'a', 'f', 't']);
        await eventually(async () => (await session.screen()).rows.join('\n').includes('my-draft'));
        const { prompt } = await session.prompt('ours');
        const waiting = await stage.happens(session.id, 'prompt.waiting');
        expect(String(waiting.body.why)).toMatch(/draft|typed|box/);
        expect((await session.screen()).rows.join('\n')).toContain('my-draft');
        expect((await session.screen()).rows.join('\n')).not.toContain('ours');
        expect((await session.waitFor('idle', { timeoutMs: 300 })).met).toBe('nothing');
        await stage.cli(['keys', 'api', ...Array<string>(8).fill('BSpace')]);
        const replied = await session.reply({ prompt, timeoutMs: 30_000 });
        expect([replied.met, replied.reply]).toEqual(['answered', 'You said: ours']);
        await stage.hears(['ours']);
      },
    ),

    'while a person is attached prompts wait; what they type is their own; leaving gives control back': needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.live({ ...how, name: 'api' });
        await using person = new Person(stage, 'attach', 'api');
        await stage.happens(session.id, 'control.taken');
        const { prompt } = await session.prompt('ours');
        await stage.happens(session.id, 'prompt.waiting');
        person.type('by hand');
        await eventually(async () => (await session.screen()).rows.join('\n').includes('by hand'));
        person.type('\r');
        await person.sees('You said: by hand');
        await stage.happens(session.id, 'turn.ended');
        expect((await session.show()).session.control?.how).toBe('attach');
        expect((await session.show()).session.prompts.map(({ state }) => state)).toEqual(['queued']);
        person.type(DETACH[terminal ?? 'tmux']);
        expect(await person.leaves()).toBe(0);
        const replied = await session.reply({ prompt, timeoutMs: 30_000 });
        expect([replied.met, replied.reply]).toEqual(['answered', 'You said: ours']);
        expect(await stage.names(session.id, 'control.')).toEqual(['control.taken', 'control.returned']);
        await stage.hears(['by hand', 'ours']);
      },
    ),

    'who only watches changes nothing: prompts go on, and what is typed arrives nowhere': needing(
      ['screen'],
      async (open) => {
        const stage = await open();
        const session = await stage.live({ ...how, name: 'api' });
        await using person = new Person(stage, 'attach', 'api', '--read-only');
        await person.sees(stage.agent.screen.ready);
        person.type('unwanted\r');
        expect((await session.converse('wanted', { timeoutMs: 30_000 })).reply).toBe('You said: wanted');
        await person.sees('You said: wanted');
        expect(await stage.names(session.id, 'control.')).toEqual([]);
        await stage.hears(['wanted']);
      },
    ),

    'handoff gives control to a person until it is taken back': needing(['screen'], async (open) => {
      const stage = await open();
      const session = await stage.live({ ...how, name: 'api' });
      const handed = await stage.cli(['handoff', 'api']);
      expect([handed.status, handed.stdout]).toEqual([0, expect.stringMatching(/attach api[\s\S]*Ctrl-/)]);
      const { prompt } = await session.prompt('patience');
      const waiting = await stage.happens(session.id, 'prompt.waiting');
      expect(String(waiting.body.why)).toContain('control');
      expect((await stage.cli(['stop', 'api'])).status).not.toBe(0);
      expect((await session.show()).session.phase).toBe('idle');
      expect((await stage.cli(['handoff', 'api', '--back'])).status).toBe(0);
      expect((await session.reply({ prompt, timeoutMs: 30_000 })).reply).toBe('You said: patience');
      expect(await stage.names(session.id, 'control.')).toEqual(['control.taken', 'control.returned']);
      await stage.hears(['patience']);
    }),
  };
}

/** Without tmux on the machine. */
export const NO_TMUX: Stories = {
  'a live session needs no tmux: ready, prompt, interrupt, stop': async (open) => {
    const stage = await open({ lacksTmux: true });
    const session = await stage.live();
    expect((await session.show()).session.terminal).toBe('pty');
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    const { prompt } = await session.prompt(stage.untilFile(join(stage.root, 'never'), 'x'));
    await stage.happens(session.id, 'tool.called');
    await session.interrupt();
    expect((await session.reply({ prompt, timeoutMs: 10_000 })).met).toBe('interrupted');
    await session.stop();
    expect(stage.processes()).toEqual([]);
  },
};
