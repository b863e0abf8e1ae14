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

/** On a bad day, but for the hook that matters here. */
const MANNERS = { ...RUDE, silent: ['SessionEnd'] };

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
/** It says that it runs, and ends when somebody says so. */
const held = (name: string): object => bash(`: >at-${name}; until [ -e ${name} ]; do sleep 0.02; done`);

/** An owner in the middle of its turn, and a command of its own that ends when somebody says so. */
class Owning {
  readonly stage: Stage;
  readonly id: string;
  readonly prompt: string;

  private constructor(stage: Stage, id: string, prompt: string) {
    this.stage = stage;
    this.id = id;
    this.prompt = prompt;
  }

  /** The turn goes on with these steps after it has started the command. */
  static async begin(stage: Stage, drive: Drive, steps: readonly object[], after = ''): Promise<Owning> {
    const kid = `until [ -e go ]; do sleep 0.02; done; echo bye; exit 3`;
    const path = `'${pathWithOutlast(stage.world)}'`;
    const start = bash(`PATH=${path} outlast exec -b --wake --name kid -c '${kid}'${after}`);
    const prompt = script(start, ...steps);
    const { id } = await stage.start({ drive, name: 'owner', prompt });
    return new Owning(stage, id, prompt);
  }

  /** A file that the turn waits for. */
  say(name: string): void {
    writeFileSync(join(this.stage.workspace, name), '');
  }

  at(name: string): Promise<unknown> {
    return eventually(() => existsSync(join(this.stage.workspace, `at-${name}`)), { what: name, msMax: 30_000 });
  }

  /** Its command ends, and it is offered the news. */
  offered(): Promise<string> {
    this.say('go');
    return this.laidOut(1);
  }

  /** The so manyth offer lies there. */
  async laidOut(times: number): Promise<string> {
    const { body } = await this.stage.happens(this.id, 'update.staged', times);
    const offer = join(this.stage.world.state, 'sessions', this.id, 'runs', String(body.run), 'offer');
    await eventually(() => existsSync(offer) || existsSync(`${offer}.taken`), { what: 'what is laid out' });
    return String(body.inTurnUpdate);
  }

  /** Whether the agent itself has what was offered in its transcript. */
  isTold(offer: string): boolean {
    return this.stage.transcripts().some((path) => hasContext(readFileSync(path, 'utf8'), offer));
  }

  /** It was told in its turn and never again: what it hears next is what somebody says. */
  async isToldOnce(): Promise<void> {
    const { stage, id } = this;
    const session = stage.world.client.session(id);
    expect((await session.converse('hello', { timeoutMs: 30_000 })).reply).toBe('You said: hello');
    const told = await stage.events(id, 'update.delivered');
    expect(told.map(({ body }) => [body.count, typeof body.inTurnUpdate])).toEqual([[1, 'string']]);
    const offer = String(told[0]?.body.inTurnUpdate);
    expect(this.isTold(offer)).toBe(true);
    // The model itself heard it, and with the result of a tool.
    const asked = stage.model?.requests().filter(({ news }) => news.includes(offer));
    expect(asked?.map(({ news }) => news.includes('tool_result')) ?? [true]).toEqual([true]);
    await session.stop();
  }
}

/** News for an owner that works. */
export function newsStories(drive: Drive): Stories {
  return {
    [`an owner at work hears of an end with the result of its tool, and not again (${drive})`]: async (open) => {
      const stage = await open({ manners: MANNERS });
      const owner = await Owning.begin(stage, drive, [held('one'), held('two'), { text: 'end' }]);
      await owner.at('one');
      const offer = await owner.offered();
      expect(owner.isTold(offer)).toBe(false);
      owner.say('one');
      await stage.happens(owner.id, 'update.delivered');
      expect(await stage.names(owner.id, 'prompt.answered', 'update.withdrawn')).toEqual([]);
      const kid = (await stage.world.client.show('kid')).session.id;
      const text = stage.transcripts().map((path) => readFileSync(path, 'utf8'));
      for (const words of [kid, 'exit 3', '| bye', `outlast output ${kid}`])
        expect(text.some((each) => each.includes(words))).toBe(true);
      owner.say('two');
      await stage.happens(owner.id, 'prompt.answered');
      await owner.isToldOnce();
      await stage.hears([owner.prompt, 'hello']);
    },

    [`what is taken while the daemon is away was told, and is not told again (${drive})`]: async (open) => {
      const stage = await open({ manners: MANNERS });
      const owner = await Owning.begin(stage, drive, [held('one'), held('two'), { text: 'end' }]);
      await owner.at('one');
      await owner.offered();
      await stage.world.kill();
      owner.say('one');
      await owner.at('two');
      await stage.world.start();
      await stage.happens(owner.id, 'update.delivered');
      owner.say('two');
      await stage.happens(owner.id, 'prompt.answered');
      await owner.isToldOnce();
      await stage.hears([owner.prompt, 'hello']);
    },

    [`what a tool of a sub-agent brings is not for it: the agent itself is told (${drive})`]: async (open) => {
      const stage = await open({ manners: MANNERS });
      const tool = stage.agent.version === '2.1.197' ? 'Task' : 'Agent';
      const input = { description: 'd', prompt: script(held('sub'), { text: 'inner' }), run_in_background: false };
      const sub = { tool, input: { ...input, subagent_type: 'general-purpose' } };
      const owner = await Owning.begin(stage, drive, [sub, held('two'), held('three'), { text: 'end' }]);
      await owner.at('sub');
      await owner.offered();
      owner.say('sub');
      await stage.happens(owner.id, 'subagent.ended');
      // On its screen the newest does not wait for a sub-agent, whatever it is told.
      await owner.at('two');
      owner.say('two');
      await stage.happens(owner.id, 'update.delivered');
      owner.say('three');
      await stage.happens(owner.id, 'prompt.answered');
      expect(await stage.names(owner.id, 'update.withdrawn')).toEqual([]);
      await owner.isToldOnce();
    },
  };
}

/** The same, with an agent that does what no real one does on demand. */
export function newsTroubles(drive: Drive): Stories {
  return {
    [`an agent that dies with what its hook has taken is told when it goes on (${drive})`]: async (open) => {
      const stage = await open({ manners: { dieOnHook: 'PostToolUse' } });
      // The hook after a tool that failed is another one.
      const owner = await Owning.begin(stage, drive, [held('one'), held('two'), { text: 'end' }], '; exit 1');
      await owner.at('one');
      await owner.offered();
      stage.behave({});
      owner.say('one');
      expect((await stage.happens(owner.id, 'update.withdrawn')).body).toMatchObject({ count: 1, taken: true });
      await owner.laidOut(2);
      owner.say('two');
      await stage.happens(owner.id, 'prompt.answered');
      await owner.isToldOnce();
    },

    [`what no hook takes is taken back, and told when the turn is over (${drive})`]: async (open) => {
      const stage = await open({ manners: { silent: ['PostToolUse'] } });
      const owner = await Owning.begin(stage, drive, [held('one'), { text: 'end' }]);
      await owner.at('one');
      const offer = await owner.offered();
      owner.say('one');
      await stage.happens(owner.id, 'prompt.answered', 2);
      expect(await stage.names(owner.id, 'update.')).toEqual([
        ...['update.queued', 'update.staged', 'update.withdrawn', 'update.delivered'],
      ]);
      expect(owner.isTold(offer)).toBe(false);
      await eventually(() => stage.heard().length === 2, { what: 'a prompt with the news' });
      expect(stage.heard()[1]).toMatch(/^\[outlast\] Updates from a session you started; their[\s\S]*exit 3/);
      await stage.world.client.session(owner.id).stop();
    },
  };
}
