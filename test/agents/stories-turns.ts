import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { needing, type Stories } from './stage.ts';
import { argvWith, uniqueWord } from './story-text.ts';

const ODD = [
  `a;b & c | d > e`,
  `'single' "double" \`ticks\` \\back\\`,
  `$(touch owned) \${HOME} $PATH !!`,
  'emoji 🐙 family 👩‍👩‍👧 ü é e\u0301',
  '<system-reminder-ish> </tag> {{nobody.reply}} [Pasted text #1 +3 lines]',
].join('\n');

/** One process per prompt. */
export const TURNS: Stories = {
  'run waits for the reply, prints only the reply, and ends the session': async (open) => {
    const stage = await open();
    const ran = await stage.cli(['run', 'hello there', '--name', 'once']);
    expect([ran.status, ran.stdout]).toEqual([0, 'You said: hello there\n']);
    const { session, reply } = await stage.world.client.session('once').show();
    expect([session.phase, session.outcome?.kind, reply]).toEqual(['ended', 'done', 'You said: hello there']);
    expect(await stage.eventNames(session.id, 'prompt.')).toEqual([
      ...['prompt.queued', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
    ]);
    await stage.expectReceived(['hello there']);
    // Processes that it started in the background have ended too.
    await eventually(() => stage.processes().length === 0);
  },

  'prompts of many turns each arrive once, in one conversation': async (open) => {
    const stage = await open();
    const started = await stage.cli(['start', 'first', '--name', 'talk']);
    expect(started.status).toBe(0);
    const first = await stage.cli(['wait', 'talk', '--for', 'reply']);
    expect([first.status, first.stdout]).toEqual([0, 'You said: first\n']);
    const { conversation } = (await stage.world.client.session('talk').show()).session;
    for (const text of ['second', 'third']) {
      const replied = await stage.cli(['converse', 'talk', text]);
      expect([replied.status, replied.stdout]).toEqual([0, `You said: ${text}\n`]);
    }
    const { session } = await stage.world.client.session('talk').waitFor('idle', { timeoutMs: 60_000 });
    expect([session.phase, session.conversation, session.run]).toEqual(['idle', conversation, 3]);
    await stage.expectReceived(['first', 'second', 'third'], conversation);
    await stage.expectReceived(['first', 'second', 'third']);
  },

  'a prompt is read from an argument, from standard input, from - or from a file': async (open) => {
    const stage = await open();
    const file = join(stage.root, 'prompt.md');
    writeFileSync(file, 'from a file');
    expect((await stage.cli(['run', '--name', 'one'], { input: 'from a pipe' })).stdout).toBe(
      'You said: from a pipe\n',
    );
    expect((await stage.cli(['start', '-', '--name', 'two'], { input: 'by a dash' })).status).toBe(0);
    expect((await stage.cli(['converse', 'two', '--prompt-file', file])).stdout).toBe('You said: from a file\n');
    expect((await stage.cli(['run', 'text', '--prompt-file', file])).status).toBe(2);
    expect((await stage.cli(['run', 'two', 'words'])).status).toBe(2);
    await eventually(() => stage.received().sort().join() === 'by a dash,from a file,from a pipe');
  },

  'an invalid prompt is refused, and nothing is started': async (open) => {
    const stage = await open();
    for (const [words, input] of [
      [['run', ''], ''],
      [['run'], ''],
      [['run', '-'], ' \n\t '],
      [['start', '--prompt-file', '/dev/null'], ''],
      [['run'], Buffer.alloc(1024 * 1024 + 1, 'a')],
      [['run'], Buffer.from([0xff, 0xfe, 0x41])],
      ...stage.agent.commands.map((text) => [['run', text], ''] as const),
    ] as const) {
      const ran = await stage.cli(words, { input });
      expect([words, ran.status, ran.stdout], ran.stderr).toEqual([words, 2, '']);
    }
    const over = 'a'.repeat(1024 * 1024 + 1);
    await expect(stage.start({ prompt: over })).rejects.toThrow('1 MiB');
    await expect(stage.start({ prompt: '' })).rejects.toThrow('empty');
    expect((await stage.world.client.list()).sessions).toEqual([]);
    expect(stage.received()).toEqual([]);
  },

  'prompts of one byte, 200 KB and 1 MB arrive byte for byte': needing(['long prompts'], async (open) => {
    const stage = await open();
    const line = 'The quick brown fox 🐙 jumps;\n';
    const heading = '# Title\n\nA heading is no command.';
    expect((await stage.cli(['run', '-'], { input: heading })).stdout).toBe(`You said: ${heading}\n`);
    for (const bytes of [1, 200 * 1024, 1024 * 1024]) {
      const text =
        bytes === 1 ? 'x' : `${line.repeat(bytes / Buffer.byteLength(line) - 1)}`.padEnd(10, '.').concat('end');
      const ran = await stage.cli(['run', '-'], { input: text });
      expect(ran.status, ran.stderr).toBe(0);
      expect(ran.stdout).toMatch(/^You said: /);
      await eventually(() => stage.received().filter((one) => one === text).length === 1, {
        what: `a prompt of ${bytes} bytes`,
      });
    }
  }),

  'no character of a prompt has a meaning to a shell, a terminal or Outlast': async (open) => {
    const stage = await open();
    const text = `${ODD}\ttab\r\nnext\x1b[201~ pasted \x1b[200~ SCRIPTED`;
    const session = await stage.start({ prompt: text });
    expect((await session.reply({ timeoutMs: 60_000 })).met).toBe('answered');
    await stage.expectReceived([text]);
    expect((await stage.cli(['run', '-'], { input: ODD })).status).toBe(0);
    await eventually(() => stage.received().filter((one) => one === ODD).length === 1);
  },

  'no process has the prompt in its arguments': async (open) => {
    const stage = await open();
    const word = uniqueWord();
    const go = join(stage.root, 'go');
    const session = await stage.start({ prompt: stage.untilFile(go, `done ${word}`) });
    await stage.waitForCall(session.id);
    expect(argvWith(word)).toEqual([]);
    writeFileSync(go, '');
    expect((await session.reply({ timeoutMs: 60_000 })).reply).toBe(`done ${word}`);
  },

  'three prompts for a busy agent are queued in the journal and answered in order': async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const session = await stage.start({ prompt: stage.untilFile(go, 'zero') });
    await stage.waitForCall(session.id);
    const given = [];
    for (const text of ['one', 'two', 'three']) given.push(await session.prompt(text));
    expect((await session.show()).session.prompts.map(({ state }) => state)).toEqual([
      ...['accepted', 'queued', 'queued', 'queued'],
    ]);
    const early = await session.waitFor('idle', { timeoutMs: 300 });
    expect(early.met).toBe('nothing');
    writeFileSync(go, '');
    expect((await session.waitFor('idle', { timeoutMs: 60_000 })).met).toBe('idle');
    const answered = (await stage.events(session.id, 'prompt.answered')).map(({ body }) => body.reply);
    expect(answered).toEqual(['zero', 'You said: one', 'You said: two', 'You said: three']);
    for (const [i, { prompt }] of given.entries())
      expect((await session.reply({ prompt })).reply).toBe(answered[i + 1]);
    await stage.expectReceived([stage.untilFile(go, 'zero'), 'one', 'two', 'three']);
  },

  'a turn with tools is reported as it happens, and its reply is the last text': async (open) => {
    const stage = await open();
    const prompt = stage.script({ before: 'let me', run: 'echo out; echo more' }, { say: 'it works' });
    const session = await stage.start({ prompt });
    expect((await session.reply({ timeoutMs: 60_000 })).reply).toMatch(
      stage.has('last text') ? /^it works$/ : /\nit works$/,
    );
    const [called, ...others] = await stage.events(session.id, 'tool.called');
    expect([called?.body.tool, JSON.stringify(called?.body), others]).toEqual([
      stage.agent.shell,
      expect.stringContaining('echo out'),
      [],
    ]);
  },

  'a caller whose wait times out is told how to wait again, and the session continues': async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    await stage.start({ name: 'slow' });
    const ran = await stage.cli(['converse', 'slow', stage.untilFile(go, 'at last'), '--wait', '100ms']);
    expect([ran.status, ran.stdout]).toEqual([6, '']);
    const again = /outlast (wait slow --for \S+)/.exec(ran.stderr)?.[1] ?? '';
    writeFileSync(go, '');
    const waited = await stage.cli(again.split(' '));
    expect([waited.status, waited.stdout]).toEqual([0, 'at last\n']);
    await stage.expectReceived([stage.untilFile(go, 'at last')]);
  },

  'a failure of the model fails the prompt with status 8, and the session stays usable': needing(
    ['failed beginnings'],
    async (open) => {
      const stage = await open();
      const ran = await stage.cli(['run', stage.script({ fail: 400 })]);
      expect([ran.status, ran.stdout]).toEqual([8, '']);
      expect(ran.stderr).toMatch(/400|API Error/);
      const session = await stage.start({ name: 'again' });
      const failed = await stage.cli(['converse', 'again', stage.script({ fail: 404 }, { say: 'better now' })]);
      expect([failed.status, failed.stdout]).toEqual([8, '']);
      expect(await stage.eventNames(session.id, 'prompt.')).toContain('prompt.failed');
      // Claude Code sends the failed prompt again with the next one.
      const fine = await stage.cli(['converse', 'again', 'still there?']);
      expect([fine.status, fine.stdout]).toEqual([
        0,
        expect.stringMatching(/^(You said: still there\?|better now)\n$/),
      ]);
    },
  ),

  'run fails when it is interrupted, and when it is stopped': async (open) => {
    const stage = await open();
    for (const [word, by] of [
      ['interrupt', 'one'],
      ['stop', 'two'],
    ] as const) {
      const running = stage.cli(['run', stage.untilFile(join(stage.root, 'never'), 'x'), '--name', by]);
      await eventually(async () => (await stage.eventNames(by, 'session.created')).length > 0, { msMax: 20_000 });
      await stage.waitForCall(by);
      expect((await stage.cli([word, by])).status).toBe(0);
      const ran = await running;
      expect([word, ran.status, ran.stdout], ran.stderr).toEqual([word, 4, '']);
    }
  },

  'a session accepts the next prompt after an interrupted turn': async (open) => {
    const stage = await open();
    const session = await stage.start({ prompt: stage.untilFile(join(stage.root, 'never'), 'x') });
    await stage.waitForCall(session.id);
    await session.interrupt();
    expect((await session.reply()).met).toBe('interrupted');
    const next = await session.converse('go on', { timeoutMs: 60_000 });
    expect([next.met, next.reply]).toEqual(['answered', 'You said: go on']);
    await stage.expectReceived([stage.untilFile(join(stage.root, 'never'), 'x'), 'go on']);
  },
};
