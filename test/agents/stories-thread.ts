import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { Person } from './person.ts';
import { needing, type Play, type Stories } from './stage.ts';
import { script } from './story-text.ts';

type Drive = 'turns' | 'live';

function resumeStory(drive: Drive): Play {
  return async (open) => {
    const stage = await open();
    const args = stage.has('arguments') ? { agentArgs: ['--append-system-prompt', 'Be kind.'] } : {};
    const session = await stage.startDriven(drive, { name: 'api', ...args });
    expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
    const { conversation } = (await session.show()).session;
    await session.stop();
    expect((await session.show()).session.phase).toBe('ended');
    expect((await stage.cli(['converse', 'api', 'too late'])).status).not.toBe(0);
    const resumed = await stage.cli(['resume', 'api']);
    expect(resumed.status, resumed.stderr).toBe(0);
    const replied = await session.converse('after', { timeoutMs: 100_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: after']);
    const { session: now } = await session.show();
    expect([now.conversation, now.id]).toEqual([conversation, session.id]);
    await stage.expectReceived(['before', 'after'], conversation);
    expect((await session.turn()).count).toBe(2);
  };
}

function forkStory(drive: Drive): Play {
  return async (open) => {
    const stage = await open();
    const session = await stage.startDriven(drive, { name: 'api' });
    expect((await session.converse('common', { timeoutMs: 60_000 })).met).toBe('answered');
    const { conversation } = (await session.show()).session;
    const live = drive === 'live' ? ['--live'] : [];
    const forked = await stage.cli(['start', '--fork', 'api', '--name', 'branch', ...live]);
    expect(forked.status, forked.stderr).toBe(0);
    const branch = stage.world.client.session('branch');
    expect((await branch.converse('only here', { timeoutMs: 100_000 })).reply).toBe('You said: only here');
    expect((await branch.converse('and here', { timeoutMs: 100_000 })).reply).toBe('You said: and here');
    const other = (await branch.show()).session.conversation;
    expect(other).not.toBe(conversation);
    expect((await session.converse('only there', { timeoutMs: 100_000 })).reply).toBe('You said: only there');
    expect((await session.show()).session.conversation).toBe(conversation);
    await stage.expectReceived(['common', 'only there'], conversation);
    const common = stage.has('copied transcripts') ? ['common'] : [];
    await stage.expectReceived([...common, 'only here', 'and here'], other);
  };
}

/** One conversation over many processes: resume, fork, /clear and attach. */
export const THREADS: Stories = {
  'an ended session is resumed on the same conversation (turns)': resumeStory('turns'),
  'an ended session is resumed on the same conversation (live)': resumeStory('live'),
  'a fork has its own conversation, and the original does not change (turns)': needing(['fork'], forkStory('turns')),
  'a fork has its own conversation, and the original does not change (live)': needing(['fork'], forkStory('live')),

  '/clear typed by a person starts another conversation, and prompts, turns and resume follow it': needing(
    ['live', 'clear'],
    async (open) => {
      const stage = await open();
      const session = await stage.startLive({ name: 'api' });
      expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
      const { conversation } = (await session.show()).session;
      await using person = new Person(stage, 'attach', 'api');
      await stage.waitForEvent(session.id, 'control.taken');
      person.type('/clear');
      await eventually(async () => (await session.screen()).rows.some((row) => /❯\s+\/clear/.test(row)));
      person.type('\r');
      const changed = await eventually(async () => {
        const now = (await session.show()).session.conversation;
        return now !== conversation && now;
      });
      person.type('\x02d');
      expect(await person.waitForExit()).toBe(0);
      expect((await session.converse('after', { timeoutMs: 60_000 })).reply).toBe('You said: after');
      await stage.expectReceived(['before'], conversation);
      await stage.expectReceived(['after'], changed);
      const { count, markdown } = await session.turn();
      expect([count, markdown]).toEqual([1, expect.stringContaining('after')]);
      await session.stop();
      await session.resume();
      expect((await session.converse('later', { timeoutMs: 100_000 })).reply).toBe('You said: later');
      await stage.expectReceived(['after', 'later'], changed);
    },
  ),

  'a command of the agent needs --command, and does not block the next prompt': needing(
    ['live', 'clear'],
    async (open) => {
      const stage = await open({ faults: {} });
      const session = await stage.startLive({ name: 'api' });
      expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
      const { conversation } = (await session.show()).session;
      const refused = await stage.cli(['prompt', 'api', '/clear']);
      expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('--command')]);
      expect((await stage.cli(['prompt', 'api', '--command', '/clear'])).status).toBe(0);
      expect((await session.converse('after', { timeoutMs: 60_000 })).reply).toBe('You said: after');
      expect((await session.show()).session.conversation).not.toBe(conversation);
      expect(await stage.eventNames(session.id, 'prompt.unsure')).toEqual([]);
    },
  ),

  "attach to a turns session opens the agent's screen on its conversation": needing(
    ['turns', 'own screen'],
    async (open) => {
      const stage = await open();
      const session = await stage.start({ name: 'api', prompt: 'before' });
      expect((await session.reply({ timeoutMs: 60_000 })).met).toBe('answered');
      await session.waitFor('idle', { timeoutMs: 60_000 });
      const { conversation } = (await session.show()).session;
      await using person = new Person(stage, 'attach', 'api');
      await stage.waitForEvent(session.id, 'control.taken');
      await person.waitForAnswer('You said: before');
      const { prompt } = await session.prompt('ours');
      await stage.waitForEvent(session.id, 'prompt.waiting');
      await person.submit('by hand', 'You said: by hand');
      expect(await person.detach()).toBe(0);
      expect((await session.reply({ prompt, timeoutMs: 100_000 })).reply).toBe('You said: ours');
      await stage.expectReceived(['before', 'by hand', 'ours'], conversation);
      expect(await stage.eventNames(session.id, 'run.faulted', 'session.held', 'prompt.unsure')).toEqual([]);
    },
  ),

  'a person who exits with a command of the agent stops the session; it can be resumed': needing(
    ['live', 'screen'],
    async (open) => {
      const stage = await open();
      const session = await stage.startLive({ name: 'api' });
      expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
      await session.waitFor('idle', { timeoutMs: 60_000 });
      await session.write({ paste: stage.agent.screen.quit });
      await eventually(async () => {
        if ((await session.show()).session.phase === 'ended') return true;
        await session.keys(['Enter']).catch(() => {});
        return false;
      });
      expect((await session.show()).session.outcome?.kind).toBe('stopped');
      await session.resume();
      expect((await session.converse('after', { timeoutMs: 100_000 })).reply).toBe('You said: after');
      await stage.expectReceived(['before', 'after']);
    },
  ),

  'a session stopped in the middle of a turn does not continue that turn when it is resumed': needing(
    ['turns'],
    async (open) => {
      const stage = await open();
      const session = await stage.start({ prompt: stage.untilFile(join(stage.root, 'never'), 'x') });
      await stage.waitForCall(session.id);
      await session.stop();
      expect(stage.processes()).toEqual([]);
      expect((await session.reply()).met).toBe('interrupted');
      await session.resume();
      expect((await session.converse('hello again', { timeoutMs: 60_000 })).reply).toBe('You said: hello again');
      await stage.expectReceived([stage.untilFile(join(stage.root, 'never'), 'x'), 'hello again']);
    },
  ),

  'parallel tools and a failing one are in the turn as Markdown and as JSON': needing(
    ['turns', 'tools at once'],
    async (open) => {
      const stage = await open();
      const bash = (command: string) => ({ tool: 'Bash', input: { command, description: 'd' } });
      const session = await stage.start({ name: 'api' });
      const long = bash('for i in 1 2 3 4 5 6 7 8 9; do echo "line $i"; done');
      const prompt = script(
        { think: 'what to do', say: 'Both at once.', tools: [long, bash('echo second')] },
        { tool: 'Bash', input: { command: 'echo bad >&2; exit 3', description: 'd' } },
        { text: 'all done' },
      );
      expect((await session.converse(prompt, { timeoutMs: 60_000 })).reply).toBe('all done');
      const shown = await eventually(async () => {
        const ran = await stage.cli(['turn', 'api']);
        return ran.stdout.includes('all done') && ran.stdout;
      });
      for (const text of ['> what to do', 'Both at once.', 'line 5', 'second', 'bad', 'all done'])
        expect(shown).toContain(text);
      expect(shown).not.toContain('line 6');
      const full = await stage.cli(['turn', 'api', '1', '--full']);
      expect(full.stdout).toContain('line 9');
      const json = JSON.parse((await stage.cli(['turn', 'api', '--json'])).stdout);
      expect([json.number, json.count]).toEqual([1, 1]);
      expect((await stage.cli(['turn', 'api', '2'])).status).toBe(3);
    },
  ),
};
