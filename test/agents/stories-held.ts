import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';

/** A live session in front of a dialog, with a prompt that waits behind it. */
async function heldStage(stage: Stage): Promise<{ id: string; prompt: string; screen: string }> {
  const session = await stage.start({ drive: 'live', name: 'api', prompt: 'hello' });
  await stage.happens(session.id, 'session.held');
  return { id: session.id, prompt: session.firstPrompt ?? '', screen: await screenOf(stage, session.id) };
}

async function screenOf(stage: Stage, session: string): Promise<string> {
  return (await stage.world.client.screen(session)).rows.join('\n');
}

/** The agreeing answer of the stand-in is the second; the first would end it. */
const AGREE = ['Down', 'Enter'];

/** Held, nothing pressed, until a person answers; then everything that waited is heard. */
function dialogStory(dialog: string, needs: RegExp): Story {
  return async (open) => {
    const stage = await open({ manners: { ...RUDE, dialog } });
    const { client } = stage.world;
    const { id, prompt, screen } = await heldStage(stage);
    const { session } = await client.show(id);
    expect([session.phase, session.prompts.map(({ state }) => state)]).toEqual(['held', ['queued']]);
    expect(session.held).toMatch(needs);
    expect((await client.wait({ session: id, for: 'idle', timeoutMs: 30_000 })).met).toBe('held');
    expect((await client.converse(id, 'another', { timeoutMs: 30_000 })).met).toBe('held');
    expect(await screenOf(stage, id)).toBe(screen);
    expect(await stage.names(id, 'run.written')).toEqual([]);
    await client.keys(id, AGREE);
    await stage.happens(id, 'session.released');
    const replied = await client.reply({ session: id, prompt, timeoutMs: 30_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: hello']);
    expect((await client.wait({ session: id, for: 'idle', timeoutMs: 30_000 })).met).toBe('idle');
    await stage.hears(['hello', 'another']);
  };
}

/** Dialogs: only with the stand-in, which shows each on demand. */
export const DIALOGS: Stories = {
  'the trust dialog holds the session until a person answers': dialogStory('trust', /trust/i),
  'the warning about permissions holds the session until a person answers': dialogStory('bypass', /permission/i),
  'the choice of a theme holds the session until a person answers': dialogStory('theme', /look|theme/i),
  'the login holds the session until a person answers': dialogStory('login', /log in/i),
  'an update that is wanted holds the session until a person answers': dialogStory('update', /./),
  'a dialog nobody has seen before holds the session until a person answers': dialogStory('unknown', /./),

  'every command that waits says at once, with a status of its own, that a person is needed and for what': async (
    open,
  ) => {
    const stage = await open({ manners: { ...RUDE, dialog: 'trust' } });
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

  'T-INT-1 an agent that asks whether it may is interrupted, and takes the next prompt': async (open) => {
    const stage = await open({ manners: { ...RUDE, midDialog: 'permission' } });
    const session = await stage.live();
    const input = { command: 'echo done it', description: 'x' };
    const { prompt } = await session.prompt(script({ tool: 'Bash', input }, { text: 'finished' }));
    await stage.happens(session.id, 'session.held', 1, 60_000);
    const ran = await stage.cli(['interrupt', session.id]);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    const { met } = await stage.world.client.reply({ session: session.id, prompt, timeoutMs: 60_000 });
    expect(met).toBe('interrupted');
    stage.behave(RUDE);
    const replied = await stage.world.client.converse(session.id, 'hello', { timeoutMs: 60_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: hello']);
  },

  'a dialog in the middle of a turn holds the session; answered, the turn goes on': async (open) => {
    const stage = await open({ manners: { ...RUDE, midDialog: 'permission' } });
    const session = await stage.live();
    const input = { command: 'echo done it', description: 'x' };
    const { prompt } = await session.prompt(script({ tool: 'Bash', input }, { text: 'finished' }));
    await stage.happens(session.id, 'session.held');
    expect((await session.reply({ prompt, timeoutMs: 20_000 })).met).toBe('held');
    await session.keys(['Enter']);
    await stage.happens(session.id, 'session.released');
    expect((await session.reply({ prompt, timeoutMs: 30_000 })).reply).toBe('finished');
    await eventually(() => stage.heard().length === 1);
  },

  'a daemon that dies while a session is held finds it held again, and presses nothing': async (open) => {
    const stage = await open({ manners: { ...RUDE, dialog: 'bypass' } });
    const { id, prompt, screen } = await heldStage(stage);
    await stage.world.restart();
    expect((await stage.world.client.reply({ session: id, prompt, timeoutMs: 20_000 })).met).toBe('held');
    expect(await screenOf(stage, id)).toBe(screen);
    await stage.world.client.keys(id, AGREE);
    await stage.happens(id, 'session.released');
    expect((await stage.world.client.reply({ session: id, prompt, timeoutMs: 30_000 })).reply).toBe('You said: hello');
    await stage.hears(['hello']);
  },
};

/** A workspace with settings of its own is acted on only where the caller said so. */
export const TRUST: Stories = {
  'a folder with settings of its own needs the word of the caller, once, until they change': async (open) => {
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
    await eventually(() => stage.heard().sort().join() === 'again,hello,once more');
  },

  'trust is bound to the real path: a link is the same folder, and a new folder under its name another': async (
    open,
  ) => {
    const stage = await open();
    const [real, other, link] = [stage.folder('real'), stage.folder('other'), join(stage.root, 'link')];
    for (const folder of [real, other]) writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{}}');
    symlinkSync(real, link);
    expect((await stage.cli(['run', 'a', '--workspace', real])).status).not.toBe(0);
    expect((await stage.cli(['run', 'b', '--workspace', link, '--trust'])).status).toBe(0);
    expect((await stage.cli(['run', 'c', '--workspace', real])).status).toBe(0);
    expect((await stage.cli(['run', 'd', '--workspace', other])).status).not.toBe(0);
  },

  'settings that changed since a session began are asked about before it is resumed or copied': async (open) => {
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
    await stage.hears(['first', 'second']);
  },
};
