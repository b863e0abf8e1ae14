import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import { connect } from '../../src/client/index.ts';
import { crash, isRunning, liveCli } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { MUTE, RUDE } from '../scripted/manners.ts';
import { needing, type Play, type Stage, type Stories, type Story } from './stage.ts';

/** Heard once and answered once, whoever of the two daemons sent it. */
async function isAnsweredOnce(stage: Stage, session: string, prompt: string, texts: readonly string[]): Promise<void> {
  const { met } = await stage.world.client.reply({ session, prompt, timeoutMs: 40_000 });
  expect(met).toBe('answered');
  await stage.hears(texts);
  const ends = (await stage.events(session, 'prompt.answered')).filter(({ body }) => body.prompt === prompt);
  expect([ends.length, await stage.names(session, 'prompt.unsure')]).toEqual([1, []]);
}

/** The daemon is dead for a whole turn; what the hooks said meanwhile is found by the next one. */
function absentStory(drive: 'turns' | 'live', manners = RUDE): Story {
  return async (open) => {
    const stage = await open({ manners });
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'while you were out');
    const session = await stage.begin(drive);
    const { prompt } = await session.prompt(text);
    await stage.happens(session.id, 'tool.called');
    await stage.world.kill();
    writeFileSync(go, '');
    await eventually(() => stage.agent.hasSaid(stage.root, 'while you were out'), { msMax: 20_000 });
    await stage.world.start();
    const replied = await session.reply({ prompt, timeoutMs: 30_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'while you were out']);
    expect((await session.waitFor('idle', { timeoutMs: 20_000 })).met).toBe('idle');
    expect((await stage.names(session.id, 'prompt.answered')).length).toBe(1);
    await stage.hears([text]);
    expect((await session.converse('and now', { timeoutMs: 30_000 })).reply).toBe('You said: and now');
  };
}

/** The daemon is killed in the middle of a turn and comes back in the middle of it. */
function restartStory(drive: 'turns' | 'live'): Story {
  return async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'all the same');
    const session = await stage.begin(drive);
    using client = connect({ state: stage.world.state, env: stage.world.env });
    const asking = client.converse(session.id, text, { timeoutMs: 40_000 });
    await stage.happens(session.id, 'tool.called');
    // The next daemon is started by who waits.
    await stage.world.kill();
    writeFileSync(go, '');
    const replied = await asking;
    expect([replied.met, replied.reply]).toEqual(['answered', 'all the same']);
    await stage.hears([text]);
    expect((await session.show()).session.run).toBe(1);
  };
}

/** The daemon is killed when the agent has taken the text, and is at work on it. */
function heardStory(manners: Partial<Manners>): Play {
  return async (open) => {
    const stage = await open({ manners: { ...RUDE, lostEnters: 0, ...manners } });
    const session = await stage.live();
    const go = join(stage.root, 'go');
    const text = stage.untilFile(go, 'entered');
    const { prompt } = await session.prompt(text);
    await eventually(async () => (await session.screen()).rows.join('\n').includes(stage.agent.screen.busy), {
      msMax: 20_000,
    });
    await stage.world.restart();
    writeFileSync(go, '');
    await isAnsweredOnce(stage, session.id, prompt, [text]);
  };
}

/** The daemon is killed. */
export const DAEMON_DEATHS: Stories = {
  'a daemon killed between paste and Enter: the prompt is neither lost nor doubled': needing(
    ['live', 'screen'],
    async (open) => {
      // An Enter right behind the paste is lost, whether it was pressed before the kill or not. A later one is heard.
      const stage = await open({ manners: { ...RUDE, lostEnters: 0, digestMs: 100 } });
      const session = await stage.live();
      const { prompt } = await session.prompt('pasted only');
      // An agent that takes the Enter at once shows the text for a moment only.
      const isPasted = async (): Promise<boolean> =>
        (await session.screen()).rows.some((row) => stage.agent.screen.box('pasted only').test(row));
      await eventually(async () => stage.heard().length > 0 || isPasted());
      await stage.world.restart();
      await isAnsweredOnce(stage, session.id, prompt, ['pasted only']);
    },
  ),

  'a daemon killed between Enter and the word of the agent: the prompt is neither lost nor doubled': needing(
    ['live', 'screen'],
    heardStory({ hookMs: 1_500, doubled: false }),
  ),
  'the same when the agent never says that it heard': needing(
    ['live', 'faults on command'],
    heardStory({ ...MUTE, flushMs: 1_500 }),
  ),

  'a daemon killed right after it took a prompt sends it when it is back': needing(['turns', 'live'], async (open) => {
    const stage = await open();
    for (const drive of ['turns', 'live'] as const) {
      const session = await stage.begin(drive);
      const { conversation } = (await session.show()).session;
      // Behind a turn that runs: so it is queued when the daemon dies, and not perhaps half typed.
      const go = join(stage.root, `go-${drive}`);
      await session.prompt(stage.untilFile(go, 'first'));
      await stage.happens(session.id, 'tool.called');
      const { prompt } = await session.prompt(`taken ${drive}`);
      await stage.world.restart();
      writeFileSync(go, '');
      expect((await session.reply({ prompt, timeoutMs: 40_000 })).reply).toBe(`You said: taken ${drive}`);
      await stage.hears([stage.untilFile(go, 'first'), `taken ${drive}`], conversation);
      expect(await stage.names(session.id, 'prompt.unsure')).toEqual([]);
    }
  }),

  'who converses on the command line does not notice that the daemon died': needing(['turns'], async (open) => {
    const stage = await open();
    const go = join(stage.root, 'go');
    const session = await stage.start({ name: 'api' });
    await using asking = liveCli(stage.world, ['converse', 'api', stage.untilFile(go, 'unshaken')], { input: '' });
    await stage.happens(session.id, 'tool.called');
    await crash(stage.world);
    writeFileSync(go, '');
    expect([await asking.status(30_000), asking.stdout]).toEqual([0, 'unshaken\n']);
    await stage.hears([stage.untilFile(go, 'unshaken')]);
  }),

  'a daemon killed in the middle of a turn goes on with it (turns)': restartStory('turns'),
  'a daemon killed in the middle of a turn goes on with it (live)': restartStory('live'),
  'a turn that ends while there is no daemon is answered once when there is one (turns)': absentStory('turns'),
  'a turn that ends while there is no daemon is answered once when there is one (live)': absentStory('live'),
};

/** The agent is killed. */
export const AGENT_DEATHS: Stories = {
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)': killStory('turns'),
  'an agent killed in the middle of a turn is resumed on the same conversation (live)': killStory('live'),

  'a live agent killed while it does nothing is back for the next prompt': needing(['live'], async (open) => {
    const stage = await open();
    const session = await stage.live();
    expect((await session.converse('before', { timeoutMs: 30_000 })).met).toBe('answered');
    await stage.hears(['before']);
    const { conversation } = (await session.show()).session;
    await killAgent(stage, session.id);
    await stage.happens(session.id, 'run.faulted');
    const replied = await session.converse('after', { timeoutMs: 40_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: after']);
    const { session: now } = await session.show();
    expect([now.conversation, now.run]).toEqual([conversation, 2]);
    await stage.hears(['before', 'after'], conversation);
  }),

  'a live agent killed before it wrote anything down is back for the next prompt': needing(['live'], async (open) => {
    const stage = await open({ manners: { ...RUDE, flushMs: 60_000 } });
    const session = await stage.live();
    expect((await session.converse('before', { timeoutMs: 30_000 })).met).toBe('answered');
    await killAgent(stage, session.id);
    stage.behave(RUDE);
    const replied = await session.converse('after', { timeoutMs: 40_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', 'You said: after']);
    await eventually(() => stage.heard().filter((text) => text === 'after').length === 1);
  }),

  'an agent that is not there is refused at its start, with its name': needing(['found on the path'], async (open) => {
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
    const session = await stage.begin(drive);
    const { prompt } = await session.prompt(text);
    await stage.happens(session.id, 'tool.called');
    // What the agent has not written down yet it forgets when it is killed.
    await eventually(() => stage.heard().length === 1);
    const { conversation } = (await session.show()).session;
    await killAgent(stage, session.id);
    writeFileSync(go, '');
    const replied = await session.reply({ prompt, timeoutMs: 40_000 });
    expect([replied.met, replied.reply]).toEqual(['answered', expect.stringMatching(/in the end|done/)]);
    const { session: now } = await session.show();
    expect([now.conversation, now.run]).toEqual([conversation, 2]);
    const heard = await eventually(() => stage.heard(conversation).length >= 2 && stage.heard(conversation));
    expect([heard[0], heard.length, heard[1]]).toEqual([text, 2, expect.stringMatching(/continue where you left off/)]);
  };
}
