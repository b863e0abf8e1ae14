import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { BootView, ConversationView } from '../../src/api/contract-boot.ts';
import type { Given } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

/** An agent that somebody started without us. */
export interface Foreign {
  readonly id: string;
  readonly child: ChildProcess;
  /** What it has written down so far. */
  text(): string;
  /** Kills it as the end of the machine would, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the stage's agent on a turn of its own, with nothing of ours around it. */
export function foreignAgent(stage: Stage, prompt: string, args: readonly string[] = MODE): Foreign {
  const id = randomUUID();
  const [program, ...words] = programOf(stage);
  const child = spawn(program, [...words, ...PRINT, '--session-id', id, ...args], {
    cwd: stage.workspace,
    // What it leaves behind is ended with the stage.
    env: { ...stage.env, OUTLAST_STATE: stage.world.state },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.on('error', () => {});
  child.stdin?.end(prompt);
  const text = (): string => stage.transcripts(id).map(read).join('');
  return {
    id,
    child,
    text,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await gone;
    },
  };
}

const PRINT = ['--print', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-6'];
const MODE = ['--permission-mode', 'bypassPermissions'];

/** Waits until its transcript says this. */
export async function writes({ text }: Foreign, words: string): Promise<void> {
  await eventually(() => text().includes(words), { what: `a transcript with ${words}`, msMax: 20_000 });
}

/** One look at the conversations of this stage, and nothing else of this machine. */
export function look(stage: Stage, input: Omit<Given<'boot.run'>, 'env'> = {}): Promise<BootView> {
  return stage.world.client.call('boot.run', { only: [stage.agent.name], delayMs: 0, ...input, env: stage.env });
}

/** What is made of one conversation without doing anything. */
export async function verdictOf(stage: Stage, id: string): Promise<ConversationView | undefined> {
  return (await look(stage, { dryRun: true })).conversations.find((one) => one.id === id);
}

/** The words that start the agent of a stage. */
export function programOf({ agent, root }: Stage): readonly [string, ...string[]] {
  return agent.argv(root);
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
