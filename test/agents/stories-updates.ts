import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasContext } from '../../src/agent/claude/context.ts';
import { pathWithOutlast } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import type { Stage, Stories } from './stage.ts';
import { script } from './story-text.ts';

type Drive = 'turns' | 'live';

/** `RUDE` with the hook that delivers updates. */
const FAULTS = { ...RUDE, silent: ['SessionEnd'] };

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
/** A call that creates `at-NAME` when it starts, and runs until the file NAME exists. */
const waitStep = (name: string): object => bash(`: >at-${name}; until [ -e ${name} ]; do sleep 0.02; done`);

/** An owner in a turn, with a child command that ends when the story says so. */
class OwnerInTurn {
  readonly stage: Stage;
  readonly id: string;
  readonly prompt: string;

  private constructor(stage: Stage, id: string, prompt: string) {
    this.stage = stage;
    this.id = id;
    this.prompt = prompt;
  }

  /** The first step starts the child; these steps follow. */
  static async start(stage: Stage, drive: Drive, steps: readonly object[], after = ''): Promise<OwnerInTurn> {
    const kid = `until [ -e go ]; do sleep 0.02; done; echo bye; exit 3`;
    const path = `'${pathWithOutlast(stage.world)}'`;
    const start = bash(`PATH=${path} outlast exec -b --wake --name kid -c '${kid}'${after}`);
    const prompt = script(start, ...steps);
    const { id } = await stage.start({ drive, name: 'owner', prompt });
    return new OwnerInTurn(stage, id, prompt);
  }

  /** Creates a file that a step or the child waits for. */
  touch(name: string): void {
    writeFileSync(join(this.stage.workspace, name), '');
  }

  reached(name: string): Promise<unknown> {
    return eventually(() => existsSync(join(this.stage.workspace, `at-${name}`)), { what: name, msMax: 30_000 });
  }

  /** Ends the child, and waits until the update about it is staged. */
  endChild(): Promise<string> {
    this.touch('go');
    return this.waitForStaged(1);
  }

  /** Waits until the nth in-turn update is staged, and returns its id. */
  async waitForStaged(times: number): Promise<string> {
    const { body } = await this.stage.waitForEvent(this.id, 'update.staged', times);
    const file = join(this.stage.world.state, 'sessions', this.id, 'runs', String(body.run), 'offer');
    await eventually(() => existsSync(file) || existsSync(`${file}.taken`), { what: 'a staged update' });
    return String(body.inTurnUpdate);
  }

  /** Whether the agent's transcript contains this in-turn update. */
  isInTranscript(update: string): boolean {
    return this.stage.transcripts().some((path) => hasContext(readFileSync(path, 'utf8'), update));
  }

  /** The update was delivered in the turn and never again: the next prompt arrives without it. */
  async expectDeliveredOnce(): Promise<void> {
    const { stage, id } = this;
    const session = stage.world.client.session(id);
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    const delivered = await stage.events(id, 'update.delivered');
    expect(delivered.map(({ body }) => [body.count, typeof body.inTurnUpdate])).toEqual([[1, 'string']]);
    const update = String(delivered[0]?.body.inTurnUpdate);
    expect(this.isInTranscript(update)).toBe(true);
    // The model received it, together with a tool result.
    const asked = stage.model?.requests().filter(({ sinceReply }) => sinceReply.includes(update));
    expect(asked?.map(({ sinceReply }) => sinceReply.includes('tool_result')) ?? [true]).toEqual([true]);
    await session.stop();
  }
}

/** Updates to an owner in a turn. */
export function updateStories(drive: Drive): Stories {
  return {
    [`an owner in a turn gets an update about an end with the result of its tool, and only once (${drive})`]: async (
      open,
    ) => {
      const stage = await open({ faults: FAULTS });
      const owner = await OwnerInTurn.start(stage, drive, [waitStep('one'), waitStep('two'), { text: 'end' }]);
      await owner.reached('one');
      const update = await owner.endChild();
      expect(owner.isInTranscript(update)).toBe(false);
      owner.touch('one');
      await stage.waitForEvent(owner.id, 'update.delivered');
      expect(await stage.eventNames(owner.id, 'prompt.answered', 'update.withdrawn')).toEqual([]);
      const kid = (await stage.world.client.show('kid')).session.id;
      const text = stage.transcripts().map((path) => readFileSync(path, 'utf8'));
      for (const words of [kid, 'exit 3', '| bye', `outlast output ${kid}`])
        expect(text.some((each) => each.includes(words))).toBe(true);
      owner.touch('two');
      await stage.waitForEvent(owner.id, 'prompt.answered');
      await owner.expectDeliveredOnce();
      await stage.expectReceived([owner.prompt, 'hello']);
    },

    [`an update that the hook delivers while no daemon runs is recorded as delivered, and not sent again (${drive})`]:
      async (open) => {
        const stage = await open({ faults: FAULTS });
        const owner = await OwnerInTurn.start(stage, drive, [waitStep('one'), waitStep('two'), { text: 'end' }]);
        await owner.reached('one');
        await owner.endChild();
        await stage.world.kill();
        owner.touch('one');
        await owner.reached('two');
        await stage.world.start();
        await stage.waitForEvent(owner.id, 'update.delivered');
        owner.touch('two');
        await stage.waitForEvent(owner.id, 'prompt.answered');
        await owner.expectDeliveredOnce();
        await stage.expectReceived([owner.prompt, 'hello']);
      },

    [`an update is not delivered with a tool of a sub-agent, but with one of the agent itself (${drive})`]: async (
      open,
    ) => {
      const stage = await open({ faults: FAULTS });
      const tool = stage.agent.version === '2.1.197' ? 'Task' : 'Agent';
      const input = { description: 'd', prompt: script(waitStep('sub'), { text: 'inner' }), run_in_background: false };
      const sub = { tool, input: { ...input, subagent_type: 'general-purpose' } };
      const owner = await OwnerInTurn.start(stage, drive, [sub, waitStep('two'), waitStep('three'), { text: 'end' }]);
      await owner.reached('sub');
      await owner.endChild();
      owner.touch('sub');
      await stage.waitForEvent(owner.id, 'subagent.ended');
      // On a screen the newest version never waits for a sub-agent.
      await owner.reached('two');
      owner.touch('two');
      await stage.waitForEvent(owner.id, 'update.delivered');
      owner.touch('three');
      await stage.waitForEvent(owner.id, 'prompt.answered');
      expect(await stage.eventNames(owner.id, 'update.withdrawn')).toEqual([]);
      await owner.expectDeliveredOnce();
    },
  };
}

/** Updates to an owner that dies or whose hook is silent, which needs faults on command. */
export function updateFaultStories(drive: Drive): Stories {
  return {
    [`an update taken by the hook of an agent that then dies is delivered after the resume (${drive})`]: async (
      open,
    ) => {
      const stage = await open({ faults: { dieOnHook: 'PostToolUse' } });
      // After a failed tool the agent calls another hook, so it survives this step.
      const owner = await OwnerInTurn.start(
        stage,
        drive,
        [waitStep('one'), waitStep('two'), { text: 'end' }],
        '; exit 1',
      );
      await owner.reached('one');
      await owner.endChild();
      stage.setFaults({});
      owner.touch('one');
      expect((await stage.waitForEvent(owner.id, 'update.withdrawn')).body).toMatchObject({ count: 1, taken: true });
      await owner.waitForStaged(2);
      owner.touch('two');
      await stage.waitForEvent(owner.id, 'prompt.answered');
      await owner.expectDeliveredOnce();
    },

    [`an update that no hook takes is withdrawn, and sent when the turn has ended (${drive})`]: async (open) => {
      const stage = await open({ faults: { silent: ['PostToolUse'] } });
      const owner = await OwnerInTurn.start(stage, drive, [waitStep('one'), { text: 'end' }]);
      await owner.reached('one');
      const update = await owner.endChild();
      owner.touch('one');
      await stage.waitForEvent(owner.id, 'prompt.answered', 2);
      expect(await stage.eventNames(owner.id, 'update.')).toEqual([
        ...['update.queued', 'update.staged', 'update.withdrawn', 'update.delivered'],
      ]);
      expect(owner.isInTranscript(update)).toBe(false);
      await eventually(() => stage.received().length === 2, { what: 'a prompt with the update' });
      expect(stage.received()[1]).toMatch(/^\[outlast\] Updates from a session you started; their[\s\S]*exit 3/);
      await stage.world.client.session(owner.id).stop();
    },
  };
}
