import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { needing, type Stories } from './stage.ts';
import { script } from './story-text.ts';

/** The smallest PNG. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Stories that only the real agent can prove. */
export const REAL: Stories = {
  'its trust dialog holds the session; no key is pressed; it continues when a person answers': needing(
    ['live', 'settings', 'screen'],
    async (open) => {
      const stage = await open({ isTrusted: false });
      const session = await stage.start({ drive: 'live', name: 'api', prompt: 'hello' });
      await stage.waitForEvent(session.id, 'session.held');
      const rows = (await session.screen()).rows;
      expect((await session.show()).session.held).toMatch(/trust/);
      expect((await stage.cli(['wait', 'api', '--for', 'idle', '--timeout', '20s'])).status).toBe(7);
      expect((await session.reply({ timeoutMs: 20_000 })).met).toBe('held');
      expect((await session.screen()).rows).toEqual(rows);
      // 2.1.197 preselects "yes", 2.1.325 "no". Like a person, check the selection before Enter, and press lost keys
      // again.
      const isYes = async (): Promise<boolean> => (await session.screen()).rows.some((row) => /❯.*Yes/.test(row));
      const isReleased = async (): Promise<boolean> =>
        (await stage.eventNames(session.id, 'session.released')).length > 0;
      const isSoon = (what: () => Promise<boolean>): Promise<unknown> =>
        eventually(what, { msMax: 3_000 }).catch(() => {});
      await eventually(
        async () => {
          if (!(await isYes()) && !(await isReleased())) await session.keys(['Down']).catch(() => {});
          await isSoon(async () => (await isYes()) || (await isReleased()));
          if (await isYes()) await session.keys(['Enter']).catch(() => {});
          await isSoon(isReleased);
          return isReleased();
        },
        { msMax: 40_000 },
      );
      expect((await session.reply({ timeoutMs: 30_000 })).reply).toBe('You said: hello');
      await stage.expectReceived(['hello']);
    },
  ),

  "with --trust there is no trust dialog, and the person's own settings are not changed": needing(
    ['live', 'settings', 'screen'],
    async (open) => {
      const stage = await open({ isTrusted: false });
      const settings = (): unknown => {
        const all = JSON.parse(readFileSync(join(stage.config, '.claude.json'), 'utf8'));
        return all.projects?.[stage.workspace]?.hasTrustDialogAccepted ?? false;
      };
      const session = await stage.startLive({ trust: true });
      expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
      await session.stop();
      expect(await stage.eventNames(session.id, 'session.held')).toEqual([]);
      expect(settings()).toBe(false);
    },
  ),

  'model and arguments reach the API on every turn': needing(['turns', 'models', 'arguments'], async (open) => {
    const stage = await open();
    const session = await stage.start({ model: 'opus', agentArgs: ['--append-system-prompt', 'Be a walrus.'] });
    for (const text of ['one', 'two']) {
      expect((await session.converse(text, { timeoutMs: 30_000 })).reply).toBe(`You said: ${text}`);
      const asked = stage.model?.requests().filter(({ prompt, tools }) => prompt === text && tools.length > 0) ?? [];
      expect(asked.map(({ model, system }) => [model, system.includes('Be a walrus.')])).toEqual([
        ['claude-opus-4-6', true],
      ]);
    }
    const { conversation } = (await session.show()).session;
    const seen = stage.model
      ?.requests()
      .filter(({ tools }) => tools.length > 0)
      .map((request) => request.conversation);
    expect(seen).toEqual([conversation, conversation]);
  }),

  'the thinking level reaches the API on every turn, in the form that the model accepts': needing(
    ['turns', 'models'],
    async (open) => {
      const stage = await open();
      const asked = (text: string) =>
        stage.model
          ?.requests()
          .flatMap(({ prompt, tools, thinking }) => (prompt === text && tools.length > 0 ? thinking : []));
      const session = await stage.start({ model: 'sonnet', thinking: 'Low' });
      expect((await session.show()).session.thinking).toBe('low');
      for (const text of ['one', 'two']) {
        expect((await session.converse(text, { timeoutMs: 30_000 })).reply).toBe(`You said: ${text}`);
        expect(asked(text)).toEqual(['adaptive low']);
      }
      // Haiku takes a token budget, not a level.
      const older = await stage.start({ model: 'haiku', thinking: 'medium' });
      await older.converse('three', { timeoutMs: 30_000 });
      expect(asked('three')).toEqual(['enabled 10000']);
      const none = await stage.start({ model: 'sonnet', thinking: 'off' });
      await none.converse('four', { timeoutMs: 30_000 });
      expect(asked('four')).toEqual(['disabled low']);
    },
  ),

  'a well-formed model id that does not exist fails the turn, and the error names it': needing(
    ['turns', 'models'],
    async (open) => {
      const stage = await open();
      const session = await stage.start({ model: 'claude-none-9' });
      const { met, reply } = await session.converse(script({ status: 404 }), { timeoutMs: 60_000 });
      expect([met, reply]).toEqual(['failed', expect.stringContaining('claude-none-9')]);
    },
  ),

  'a prompt that is an exit command of the agent does not end the session, and the next prompt is answered': needing(
    ['live'],
    async (open) => {
      const stage = await open();
      const session = await stage.startLive({ name: 'api' });
      for (const word of ['exit', 'quit', ':q']) {
        const ran = await stage.cli(['converse', 'api', word, '--wait', '20s']);
        expect([word, [0, 2].includes(ran.status ?? -1)], ran.stderr).toEqual([word, true]);
      }
      expect((await session.converse('still there?', { timeoutMs: 30_000 })).reply).toBe('You said: still there?');
      expect((await session.show()).session.run).toBe(1);
    },
  ),

  'invisible characters that the agent removes do not make a prompt unsure': needing(['live'], async (open) => {
    const stage = await open();
    const session = await stage.startLive();
    for (const text of ['\u200bzero', 'soft\u00adhyphen', 'x\u2028y', '\u202eleft', 'back\\', 'e\u0301', '👩‍👩‍👧 ok']) {
      const replied = await session.converse(text, { timeoutMs: 20_000 });
      expect([text, replied.met]).toEqual([text, 'answered']);
    }
    await eventually(() => stage.received().length >= 7);
    expect(stage.received().length).toBe(7);
  }),

  'an image, a list of results and two parallel tools are in the turn as Markdown': needing(
    ['turns', 'tools at once'],
    async (open) => {
      const stage = await open();
      const path = join(stage.workspace, 'dot.png');
      writeFileSync(path, Buffer.from(DOT, 'base64'));
      const tools = [
        { tool: 'Read', input: { file_path: path } },
        { tool: 'Bash', input: { command: 'echo beside it', description: 'x' } },
      ];
      const session = await stage.start({ name: 'api' });
      const ran = await stage.cli(['converse', 'api', '--with-turn', script({ tools }, { text: 'I saw a dot' })]);
      expect([ran.status, ran.stdout], ran.stderr).toEqual([0, expect.stringContaining('I saw a dot')]);
      const { stdout } = await stage.cli(['turn', 'api', '--full']);
      for (const text of ['dot.png', 'image', 'beside it']) expect(stdout).toContain(text);
      expect(stdout).not.toMatch(/\[object Object\]|iVBORw0KGgo/);
      expect((await stage.eventNames(session.id, 'tool.called')).length).toBe(2);
    },
  ),

  'a process that has answered and does not exit is ended, and the next turn starts': needing(
    ['turns', 'end before exit'],
    async (open) => {
      const stage = await open();
      const [program] = stage.agent.argv(stage.root);
      const agent = realpathSync(program);
      rmSync(program);
      writeFileSync(program, `#!/bin/sh\n${agent} "$@"\nexec sleep 300\n`, { mode: 0o755 });
      const session = await stage.start();
      expect((await session.converse('before', { timeoutMs: 90_000 })).reply).toBe('You said: before');
      expect((await session.converse('after', { timeoutMs: 90_000 })).reply).toBe('You said: after');
      await stage.expectReceived(['before', 'after']);
      expect(await stage.eventNames(session.id, 'run.faulted')).toEqual([]);
    },
  ),
};
