import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import { connect } from '../../src/client/index.ts';
import { crash, isRunning, liveCli } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { MUTE, RUDE } from '../scripted/manners.ts';
import { DAEMON } from '../world.ts';
import { needing, type Play, type Stage, type Stories, type Story } from './stage.ts';

/** The prompt was received once and answered once, whichever of the two daemons sent it. */
async function expectAnsweredOnce(
  stage: Stage,
  session: string,
  prompt: string,
  texts: readonly string[],
): Promise<void> {
  const { met } = await stage.world.client.reply({ session, prompt, timeoutMs: 100_000 });
  expect(met).toBe('answered');
  await stage.expectReceived(texts);
  const ends = (await stage.events(session, 'prompt.answered')).filter(({ body }) => body.prompt === prompt);
  expect([ends.length, await stage.eventNames(session, 'prompt.unsure')]).toEqual([1, []]);
}

/** No daemon runs for the rest of a turn; the next one reads what the hooks reported meanwhile. */
function absentStory(drive: 'turns' | 'live', faults = RUDE): Story {
  return async (open) => {
    const stage = await open({ faults });
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'while you were out');
    const session = await stage.startDriven(drive);
    const { prompt } = await session.prompt(text);
    await stage.waitForCall(session.id);
    await stage.world.kill();
    writeFileSync(go, '');
    await eventually(() => stage.agent.hasSaid(stage.root, 'while you were out'), { msMax: 20_000 });
    await stage.world.start();
    const replied = await session.reply({ prompt, timeoutMs: 60_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'while you were out']);
    expect((await session.waitFor('idle', { timeoutMs: 60_000 })).met).toBe('idle');
    expect((await stage.eventNames(session.id, 'prompt.answered')).length).toBe(1);
    await stage.expectReceived([text]);
    expect((await session.converse('and now', { timeoutMs: 60_000 })).reply).toBe('You said: and now');
  };
}

/** The daemon is killed and started again in the middle of a turn. */
function restartStory(drive: 'turns' | 'live'): Story {
  return async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'all the same');
    const session = await stage.startDriven(drive);
    using client = connect({ state: stage.world.state, env: { ...stage.world.env, OUTLAST_DAEMON: DAEMON } });
    const asking = client.converse(session.id, text, { timeoutMs: 100_000 });
    await stage.waitForCall(session.id);
    // The waiting client starts the next daemon.
    await stage.world.kill();
    writeFileSync(go, '');
    const replied = await asking;
    expect([replied.met, replied.reply]).toEqual(['answered', 'all the same']);
    await stage.expectReceived([text]);
    expect((await session.show()).session.run).toBe(1);
  };
}

/** The daemon is killed when the agent has accepted the prompt and works on it. */
function confirmedStory(faults: Partial<Manners>): Play {
  return async (open) => {
    const stage = await open({ faults: { ...RUDE, lostEnters: 0, ...faults } });
    const session = await stage.startLive();
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'entered');
    const { prompt } = await session.prompt(text);
    await eventually(async () => (await session.screen()).rows.join('\n').includes(stage.agent.screen.busy), {
      msMax: 20_000,
    });
    await stage.world.restart();
    writeFileSync(go, '');
    await expectAnsweredOnce(stage, session.id, prompt, [text]);
  };
}

/** The daemon is killed. */
export const DAEMON_DEATHS: Stories = {
  'a daemon killed between paste and Enter neither loses nor repeats the prompt': needing(
    ['live', 'screen'],
    async (open) => {
      // An Enter right after the paste is lost, whether it was pressed before the kill or not. A later one works.
      const stage = await open({ faults: { ...RUDE, lostEnters: 0, digestMs: 100 } });
      const session = await stage.startLive();
      const { prompt } = await session.prompt('pasted only');
      // An agent that accepts the Enter at once shows the text only for a moment.
      const isPasted = async (): Promise<boolean> =>
        (await session.screen()).rows.some((row) => stage.agent.screen.box('pasted only').test(row));
      await eventually(async () => stage.received().length > 0 || isPasted());
      await stage.world.restart();
      await expectAnsweredOnce(stage, session.id, prompt, ['pasted only']);
    },
  ),

  "a daemon killed between Enter and the agent's confirmation neither loses nor repeats the prompt": needing(
    ['live', 'screen'],
    confirmedStory({ hookMs: 1_500, doubled: false }),
  ),
  'a daemon killed after Enter neither loses nor repeats the prompt when the agent never confirms it': needing(
    ['live', 'faults on command'],
    confirmedStory({ ...MUTE, flushMs: 1_500 }),
  ),

  'a daemon killed right after it accepted a prompt sends it after the restart': needing(
    ['turns', 'live'],
    async (open) => {
      const stage = await open();
      for (const drive of ['turns', 'live'] as const) {
        const session = await stage.startDriven(drive);
        const { conversation } = (await session.show()).session;
        // A turn is running, so the prompt is queued when the daemon dies, not half typed.
        const go = join(stage.root, `go-${drive}`);
        await session.prompt(stage.untilFile(go, 'first'));
        await stage.waitForCall(session.id);
        const { prompt } = await session.prompt(`taken ${drive}`);
        await stage.world.restart();
        writeFileSync(go, '');
        expect((await session.reply({ prompt, timeoutMs: 100_000 })).reply).toBe(`You said: taken ${drive}`);
        await stage.expectReceived([stage.untilFile(go, 'first'), `taken ${drive}`], conversation);
        expect(await stage.eventNames(session.id, 'prompt.unsure')).toEqual([]);
      }
    },
  ),

  '`outlast converse` returns the reply although the daemon dies meanwhile': needing(['turns'], async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const session = await stage.start({ name: 'api' });
    await using asking = liveCli(stage.world, ['converse', 'api', stage.untilFile(go, 'unshaken')], { input: '' });
    await stage.waitForCall(session.id);
    await crash(stage.world);
    writeFileSync(go, '');
    expect([await asking.status(30_000), asking.stdout]).toEqual([0, 'unshaken\n']);
    await stage.expectReceived([stage.untilFile(go, 'unshaken')]);
  }),

  'a daemon killed in the middle of a turn continues it after the restart (turns)': restartStory('turns'),
  'a daemon killed in the middle of a turn continues it after the restart (live)': restartStory('live'),
  'a turn that ends while no daemon runs is answered once, by the next daemon (turns)': absentStory('turns'),
  'a turn that ends while no daemon runs is answered once, by the next daemon (live)': absentStory('live'),
};

/** The agent is killed. */
export const AGENT_DEATHS: Stories = {
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)': killStory('turns'),
  'an agent killed in the middle of a turn is resumed on the same conversation (live)': killStory('live'),

  'a live agent killed while idle is resumed for the next prompt': needing(['live'], async (open) => {
    const stage = await open();
    const session = await stage.startLive();
    expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
    await stage.expectReceived(['before']);
    const { conversation } = (await session.show()).session;
    await killAgent(stage, session.id);
    await stage.waitForEvent(session.id, 'run.faulted');
    const replied = await session.converse('after', { timeoutMs: 100_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: after']);
    const { session: now } = await session.show();
    expect([now.conversation, now.run]).toEqual([conversation, 2]);
    await stage.expectReceived(['before', 'after'], conversation);
  }),

  'a live agent killed before it wrote a transcript is started again for the next prompt': needing(
    // Without a record nobody can tell whether a prompt reached the process that was just killed.
    ['live', 'record'],
    async (open) => {
      const stage = await open({ faults: { ...RUDE, flushMs: 60_000 } });
      const session = await stage.startLive();
      expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
      await killAgent(stage, session.id);
      stage.setFaults(RUDE);
      const replied = await session.converse('after', { timeoutMs: 100_000 });
      expect([replied.met, replied.reply]).toEqual(['answered', 'You said: after']);
      await eventually(() => stage.received().filter((text) => text === 'after').length === 1);
    },
  ),

  'starting an agent that is not installed is refused with its name': needing(['found on the path'], async (open) => {
    const stage = await open();
    const gone = { ...stage.env, PATH: '/nonexistent' };
    const starting = stage.start({ env: gone, cwd: stage.workspace, prompt: 'hello', agent: 'claude' });
    await expect(starting).rejects.toMatchObject({ code: 'agent_missing', message: expect.stringContaining('claude') });
    expect((await stage.world.client.list()).sessions).toEqual([]);
  }),
};

async function killAgent(stage: Stage, id: string): Promise<void> {
  const { pid } = (await stage.world.client.show(id)).session;
  if (pid === null) throw new Error(`${id} has no process`);
  process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(pid), { what: 'the end of the agent' });
}

function killStory(drive: 'turns' | 'live'): Story {
  return async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'in the end');
    const session = await stage.startDriven(drive);
    const { prompt } = await session.prompt(text);
    await stage.waitForCall(session.id);
    // A killed agent forgets what is not in its transcript yet.
    await eventually(() => stage.received().length === 1);
    const { conversation } = (await session.show()).session;
    await killAgent(stage, session.id);
    writeFileSync(go, '');
    const replied = await session.reply({ prompt, timeoutMs: 100_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(/in the end|done/)]);
    const { session: now } = await session.show();
    expect([now.conversation, now.run]).toEqual([conversation, 2]);
    const received = await eventually(() => stage.received(conversation).length >= 2 && stage.received(conversation));
    expect([received[0], received.length, received[1]]).toEqual([
      text,
      2,
      expect.stringMatching(/continue where you left off/),
    ]);
  };
}
