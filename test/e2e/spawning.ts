import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { SessionView } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { type Ran, World } from '../world.ts';

/** A world in which scripted agents call `outlast` themselves. */
export class SpawnWorld extends World {
  readonly home = join(this.state, 'home');
  readonly workspace = join(this.home, 'workspace');

  /** Runs the command line as a person. */
  person(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    mkdirSync(this.workspace, { recursive: true });
    // There is no `outlast` on this PATH: an agent finds the daemon's own.
    const own = { HOME: this.home, ...env };
    return this.cli(words, { cwd: this.workspace, env: own });
  }

  /** Starts a scripted agent with these steps; returns its id. */
  async startAgent(steps: readonly object[], ...words: string[]): Promise<string> {
    const ran = await this.person(['start', '--agent', 'scripted', ...words, storyOf(steps)]);
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran.stdout.trim();
  }

  /** The content of a file of the workspace. */
  file(name: string): string {
    const path = join(this.workspace, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Sets the faults of the scripted agents that start from now on. */
  setFaults(faults: Partial<Manners>): void {
    mkdirSync(join(this.home, '.outlast-scripted'), { recursive: true });
    writeFileSync(join(this.home, '.outlast-scripted', 'manners.json'), JSON.stringify(faults));
  }

  async find(session: string): Promise<SessionView> {
    return (await this.client.show(session)).session;
  }

  /** The texts of all prompts of a session, as they were finally sent. */
  async prompts(session: string): Promise<string[]> {
    const texts = new Map<string, string>();
    for await (const { event, body } of this.client.events({ session })) {
      if (typeof body.text === 'string' && (event === 'prompt.queued' || event === 'update.delivered'))
        texts.set(String(body.prompt), body.text);
    }
    return [...texts.values()];
  }

  /** Waits until a session got this many prompts and is idle or has ended. */
  settled(session: string, prompts: number): Promise<SessionView> {
    return eventually(
      async () => {
        const view = await this.find(session);
        const isStill = view.prompts.length === 0 && ['idle', 'ended'].includes(view.phase);
        return isStill && (await this.prompts(session)).length >= prompts && view;
      },
      { what: `${prompts} prompts of ${session}`, msMax: 20_000 },
    );
  }
}

/** A prompt that tells the scripted agent what to do. */
export function storyOf(steps: readonly object[]): string {
  return `SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

/** A step in which the agent runs a command line. */
export function shell(command: string): object {
  return { tool: 'Bash', input: { command, description: 'x' } };
}
