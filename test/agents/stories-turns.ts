import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import type { Stories } from './stage.ts';
import { argvWith, secretWord } from './story-text.ts';

const ODD = [
  `a;b & c | d > e`,
  `'single' "double" \`ticks\` \\back\\`,
  `$(touch owned) \${HOME} $PATH !!`,
  'emoji 🐙 family 👩‍👩‍👧 ü é e\u0301',
  '<system-reminder-ish> </tag> {{nobody.reply}} [Pasted text #1 +3 lines]',
].join('\n');

/** A process per prompt. */
export const TURNS: Stories = {
  'run waits for the reply, prints it alone, and the session is over': async (open) => {
    const stage = await open();
    const ran = await stage.cli(['run', 'hello there', '--name', 'once']);
    expect([ran.status, ran.stdout]).toEqual([0, 'You said: hello there\n']);
    const { session, reply } = await stage.world.client.session('once').show();
    expect([session.phase, session.outcome?.kind, reply]).toEqual(['ended', 'done', 'You said: hello there']);
    expect(await stage.names(session.id, 'prompt.')).toEqual([
      ...['prompt.queued', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
    ]);
    await stage.hears(['hello there']);
    // Whatever it started in the background has ended with it.
    await eventually(() => stage.processes().length === 0);
  },

  'a conversation of many turns needs no bookkeeping: each prompt is heard once, in one conversation': async (open) => {
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
    const { session } = await stage.world.client.session('talk').waitFor('idle', { timeoutMs: 20_000 });
    expect([session.phase, session.conversation, session.run]).toEqual(['idle', conversation, 3]);
    await stage.hears(['first', 'second', 'third'], conversation);
    await stage.hears(['first', 'second', 'third']);
  },

  'a prompt comes from an argument, from standard input, by a dash, or from a file': async (open) => {
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
    await eventually(() => stage.heard().sort().join() === 'by a dash,from a file,from a pipe');
  },

  'what cannot be a prompt is refused, and nothing is started': async (open) => {
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
    expect(stage.heard()).toEqual([]);
  },

  'one byte, 200 KB and 1 MB of prompt are heard byte by byte': async (open) => {
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
      await eventually(() => stage.heard().filter((one) => one === text).length === 1, {
        what: `${bytes} bytes heard`,
      });
    }
  },

  'no character of a prompt means anything to a shell, a terminal or us': async (open) => {
    const stage = await open();
    const text = `${ODD}\ttab\r\nnext\x1b[201~ pasted \x1b[200~ SCRIPTED`;
    const session = await stage.start({ prompt: text });
    expect((await session.reply({ timeoutMs: 30_000 })).met).toBe('answered');
    await stage.hears([text]);
    expect((await stage.cli(['run', '-'], { input: ODD })).status).toBe(0);
    await eventually(() => stage.heard().filter((one) => one === ODD).length === 1);
  },

  'a prompt is in the arguments of no process': async (open) => {
    const stage = await open();
    const word = secretWord();
    const go = join(stage.root, 'go');
    const session = await stage.start({ prompt: stage.untilFile(go, `done ${word}`) });
    await stage.happens(session.id, 'tool.called');
    expect(argvWith(word)).toEqual([]);
    writeFileSync(go, '');
    expect((await session.reply({ timeoutMs: 30_000 })).reply).toBe(`done ${word}`);
  },

  'three prompts for a busy agent wait in our journal and are answered in their order': async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const session = await stage.start({ prompt: stage.untilFile(go, 'zero') });
    await stage.happens(session.id, 'tool.called');
    const given = [];
    for (const text of ['one', 'two', 'three']) given.push(await session.prompt(text));
    expect((await session.show()).session.prompts.map(({ state }) => state)).toEqual([
      ...['accepted', 'queued', 'queued', 'queued'],
    ]);
    const early = await session.waitFor('idle', { timeoutMs: 300 });
    expect(early.met).toBe('nothing');
    writeFileSync(go, '');
    expect((await session.waitFor('idle', { timeoutMs: 30_000 })).met).toBe('idle');
    const answered = (await stage.events(session.id, 'prompt.answered')).map(({ body }) => body.reply);
    expect(answered).toEqual(['zero', 'You said: one', 'You said: two', 'You said: three']);
    for (const [i, { prompt }] of given.entries())
      expect((await session.reply({ prompt })).reply).toBe(answered[i + 1]);
    await stage.hears([stage.untilFile(go, 'zero'), 'one', 'two', 'three']);
  },

  'a turn of tools is told as it happens, and its reply is the last text': async (open) => {
    const stage = await open();
    const prompt = stage.script({ before: 'let me', run: 'echo out; echo more' }, { say: 'it works' });
    const session = await stage.start({ prompt });
    expect((await session.reply({ timeoutMs: 30_000 })).reply).toMatch(
      stage.has('last text') ? /^it works$/ : /\nit works$/,
    );
    const [called, ...others] = await stage.events(session.id, 'tool.called');
    expect([called?.body.tool, JSON.stringify(called?.body), others]).toEqual([
      stage.agent.shell,
      expect.stringContaining('echo out'),
      [],
    ]);
  },

  'when the time is up the caller is told how to wait again, and the session goes on': async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    await stage.start({ name: 'slow' });
    const ran = await stage.cli(['converse', 'slow', stage.untilFile(go, 'at last'), '--wait', '100ms']);
    expect([ran.status, ran.stdout]).toEqual([6, '']);
    const again = /outlast (wait slow --for \S+)/.exec(ran.stderr)?.[1] ?? '';
    writeFileSync(go, '');
    const waited = await stage.cli(again.split(' '));
    expect([waited.status, waited.stdout]).toEqual([0, 'at last\n']);
    await stage.hears([stage.untilFile(go, 'at last')]);
  },

  'a failure of the model is a failed prompt, status 8, and the session is of use afterwards': async (open) => {
    const stage = await open();
    const ran = await stage.cli(['run', stage.script({ fail: 400 })]);
    expect([ran.status, ran.stdout]).toEqual([8, '']);
    expect(ran.stderr).toMatch(/400|API Error/);
    const session = await stage.start({ name: 'again' });
    const failed = await stage.cli(['converse', 'again', stage.script({ fail: 404 }, { say: 'better now' })]);
    expect([failed.status, failed.stdout]).toEqual([8, '']);
    expect(await stage.names(session.id, 'prompt.')).toContain('prompt.failed');
    // Claude Code sends what failed along with the next prompt.
    const fine = await stage.cli(['converse', 'again', 'still there?']);
    expect([fine.status, fine.stdout]).toEqual([0, expect.stringMatching(/^(You said: still there\?|better now)\n$/)]);
  },

  'an interrupted run is no success, and a stopped one neither': async (open) => {
    const stage = await open();
    for (const [word, by] of [
      ['interrupt', 'one'],
      ['stop', 'two'],
    ] as const) {
      const running = stage.cli(['run', stage.untilFile(join(stage.root, 'never'), 'x'), '--name', by]);
      await eventually(async () => (await stage.names(by, 'tool.called')).length > 0, { msMax: 20_000 });
      expect((await stage.cli([word, by])).status).toBe(0);
      const ran = await running;
      expect([word, ran.status, ran.stdout], ran.stderr).toEqual([word, 4, '']);
    }
  },

  'an interrupted turn leaves a session that takes the next prompt': async (open) => {
    const stage = await open();
    const session = await stage.start({ prompt: stage.untilFile(join(stage.root, 'never'), 'x') });
    await stage.happens(session.id, 'tool.called');
    await session.interrupt();
    expect((await session.reply()).met).toBe('interrupted');
    const next = await session.converse('go on', { timeoutMs: 30_000 });
    expect([next.met, next.reply]).toEqual(['answered', 'You said: go on']);
    await stage.hears([stage.untilFile(join(stage.root, 'never'), 'x'), 'go on']);
  },
};
