import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { BootView, ConversationView } from '../../src/api/contract-boot.ts';
import type { Given } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

/** An agent that was started without Outlast. */
export interface ForeignAgent {
  readonly id: string;
  readonly child: ChildProcess;
  /** Its transcript so far. */
  text(): string;
  /** Kills it as a machine crash would, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts one turn of the stage's agent without Outlast. */
export function startForeignAgent(stage: Stage, prompt: string, args: readonly string[] = MODE): ForeignAgent {
  const id = randomUUID();
  const [program, ...words] = agentArgv(stage);
  const child = spawn(program, [...words, ...PRINT, '--session-id', id, ...args], {
    cwd: stage.workspace,
    // Lets the stage find and end what the agent leaves behind.
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

/** Waits until its transcript contains this text. */
export async function waitForTranscript({ text }: ForeignAgent, words: string): Promise<void> {
  await eventually(() => text().includes(words), { what: `a transcript with ${words}`, msMax: 20_000 });
}

/** Runs `outlast boot` on the conversations of this stage only. */
export function runBoot(stage: Stage, input: Omit<Given<'boot.run'>, 'env'> = {}): Promise<BootView> {
  return stage.world.client.call('boot.run', { only: [stage.agent.name], delayMs: 0, ...input, env: stage.env });
}

/** The verdict of a dry run about one conversation. */
export async function verdictOf(stage: Stage, id: string): Promise<ConversationView | undefined> {
  return (await runBoot(stage, { dryRun: true })).conversations.find((one) => one.id === id);
}

/** The command line that starts the agent of a stage. */
export function agentArgv({ agent, root }: Stage): readonly [string, ...string[]] {
  return agent.argv(root);
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
