import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

/** A live session held by a dialog, with a queued prompt. */
async function heldStage(stage: Stage): Promise<{ id: string; prompt: string; screen: string }> {
  const session = await stage.start({ drive: 'live', name: 'api', prompt: 'hello' });
  await stage.waitForEvent(session.id, 'session.held');
  return { id: session.id, prompt: session.firstPrompt ?? '', screen: await screenOf(stage, session.id) };
}

async function screenOf(stage: Stage, session: string): Promise<string> {
  return (await stage.world.client.screen(session)).rows.join('\n');
}

/** The stand-in's second answer accepts; the first would end it. */
const AGREE = ['Down', 'Enter'];

/** The session is held and no key is pressed until a person answers; then the queued prompts are sent. */
function dialogStory(dialog: string, needs: RegExp): Story {
  return async (open) => {
    const stage = await open({ faults: { ...RUDE, dialog } });
    const { client } = stage.world;
    const { id, prompt, screen } = await heldStage(stage);
    const { session } = await client.show(id);
    expect([session.phase, session.prompts.map(({ state }) => state)]).toEqual(['held', ['queued']]);
    expect(session.held).toMatch(needs);
    expect((await client.wait({ session: id, for: 'idle', timeoutMs: 30_000 })).met).toBe('held');
    expect((await client.converse(id, 'another', { timeoutMs: 30_000 })).met).toBe('held');
    expect(await screenOf(stage, id)).toBe(screen);
    expect(await stage.eventNames(id, 'run.written')).toEqual([]);
    await client.keys(id, AGREE);
    await stage.waitForEvent(id, 'session.released');
    const replied = await client.reply({ session: id, prompt, timeoutMs: 30_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: hello']);
    expect((await client.wait({ session: id, for: 'idle', timeoutMs: 30_000 })).met).toBe('idle');
    await stage.expectReceived(['hello', 'another']);
  };
}

/** Dialogs. With the stand-in only, which shows each on demand. */
export const DIALOGS: Stories = {
  'the trust dialog holds the session until a person answers': dialogStory('trust', /trust/i),
  'the warning about permissions holds the session until a person answers': dialogStory('bypass', /permission/i),
  'the choice of a theme holds the session until a person answers': dialogStory('theme', /look|theme/i),
  'the login holds the session until a person answers': dialogStory('login', /log in/i),
  'an update prompt holds the session until a person answers': dialogStory('update', /./),
  'an unknown dialog holds the session until a person answers': dialogStory('unknown', /./),

  'every waiting command returns at once, with its own exit status, when the session needs a person, and says why':
    async (open) => {
      const stage = await open({ faults: { ...RUDE, dialog: 'trust' } });
      const words = [
        ['start', '--live', '--name', 'api', '--ready', '30s'],
        ['wait', 'api', '--for', 'idle', '--timeout', '30s'],
        ['converse', 'api', 'hello', '--wait', '30s'],
        ['wait', 'api', '--for', 'reply', '--timeout', '30s'],
      ];
      for (const each of words) {
        const ran = await stage.cli(each);
        expect([each[0], ran.status, ran.stdout + ran.stderr]).toEqual([each[0], 7, expect.stringMatching(/trust/)]);
      }
      expect((await stage.cli(['wait', 'api', '--for', 'held'])).status).toBe(0);
    },

  'T-INT-1 an agent that shows a permission dialog can be interrupted, and accepts the next prompt': async (open) => {
    const stage = await open({ faults: { ...RUDE, midDialog: 'permission' } });
    const session = await stage.startLive();
    const input = { command: 'echo done it', description: 'x' };
    const { prompt } = await session.prompt(script({ tool: 'Bash', input }, { text: 'finished' }));
    await stage.waitForEvent(session.id, 'session.held', 1, 60_000);
    const ran = await stage.cli(['interrupt', session.id]);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    const { met } = await stage.world.client.reply({ session: session.id, prompt, timeoutMs: 60_000 });
    expect(met).toBe('interrupted');
    stage.setFaults(RUDE);
    const replied = await stage.world.client.converse(session.id, 'hello', { timeoutMs: 60_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: hello']);
  },

  'a dialog in the middle of a turn holds the session; the turn continues when a person answers': async (open) => {
    const stage = await open({ faults: { ...RUDE, midDialog: 'permission' } });
    const session = await stage.startLive();
    const input = { command: 'echo done it', description: 'x' };
    const { prompt } = await session.prompt(script({ tool: 'Bash', input }, { text: 'finished' }));
    await stage.waitForEvent(session.id, 'session.held');
    expect((await session.reply({ prompt, timeoutMs: 20_000 })).met).toBe('held');
    await session.keys(['Enter']);
    await stage.waitForEvent(session.id, 'session.released');
    expect((await session.reply({ prompt, timeoutMs: 30_000 })).reply).toBe('finished');
    await eventually(() => stage.received().length === 1);
  },

  'a session that is held when the daemon dies is held again after the restart, and no key is pressed': async (
    open,
  ) => {
    const stage = await open({ faults: { ...RUDE, dialog: 'bypass' } });
    const { id, prompt, screen } = await heldStage(stage);
    await stage.world.restart();
    expect((await stage.world.client.reply({ session: id, prompt, timeoutMs: 20_000 })).met).toBe('held');
    expect(await screenOf(stage, id)).toBe(screen);
    await stage.world.client.keys(id, AGREE);
    await stage.waitForEvent(id, 'session.released');
    expect((await stage.world.client.reply({ session: id, prompt, timeoutMs: 30_000 })).reply).toBe('You said: hello');
    await stage.expectReceived(['hello']);
  },
};

/** A workspace with its own agent settings is used only if the caller trusts it. */
export const TRUST: Stories = {
  'a workspace with its own agent settings needs --trust once, and again when they change': async (open) => {
    const stage = await open();
    mkdirSync(join(stage.workspace, '.claude'));
    writeFileSync(join(stage.workspace, '.claude/settings.json'), '{}');
    const refused = await stage.cli(['run', 'hello']);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toMatch(/trust/);
    expect((await stage.cli(['run', 'hello', '--trust'])).stdout).toBe('You said: hello\n');
    expect((await stage.cli(['run', 'again'])).stdout).toBe('You said: again\n');
    writeFileSync(join(stage.workspace, '.claude/settings.json'), '{"env":{}}');
    const changed = await stage.cli(['run', 'and again']);
    expect([changed.status === 0, changed.stderr]).toEqual([false, expect.stringMatching(/changed/)]);
    expect((await stage.cli(['run', 'once more', '--trust'])).status).toBe(0);
    await eventually(() => stage.received().sort().join() === 'again,hello,once more');
  },

  'trust is bound to the real path: a link counts as the same folder, another folder does not': async (open) => {
    const stage = await open();
    const [real, other, link] = [stage.folder('real'), stage.folder('other'), join(stage.root, 'link')];
    for (const folder of [real, other]) writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{}}');
    symlinkSync(real, link);
    expect((await stage.cli(['run', 'a', '--workspace', real])).status).not.toBe(0);
    expect((await stage.cli(['run', 'b', '--workspace', link, '--trust'])).status).toBe(0);
    expect((await stage.cli(['run', 'c', '--workspace', real])).status).toBe(0);
    expect((await stage.cli(['run', 'd', '--workspace', other])).status).not.toBe(0);
  },

  'settings that changed since a session started need --trust before it is resumed or forked': async (open) => {
    const stage = await open();
    const session = await stage.start({ name: 'api', prompt: 'first' });
    expect((await session.reply({ timeoutMs: 30_000 })).met).toBe('answered');
    await session.stop();
    mkdirSync(join(stage.workspace, '.claude'));
    writeFileSync(join(stage.workspace, '.claude/settings.json'), '{"hooks":{}}');
    for (const words of [
      ['resume', 'api'],
      ['start', '--fork', 'api', 'hello'],
    ]) {
      const ran = await stage.cli(words);
      expect([words[0], ran.status === 0, ran.stderr]).toEqual([words[0], false, expect.stringMatching(/trust/)]);
    }
    const resumed = await stage.cli(['resume', 'api', '--trust']);
    expect(resumed.status, resumed.stderr).toBe(0);
    expect((await session.converse('second', { timeoutMs: 30_000 })).reply).toBe('You said: second');
    await stage.expectReceived(['first', 'second']);
  },
};
