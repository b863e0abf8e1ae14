import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { BootView, ConversationView } from '../../src/api/contract-boot.ts';
import type { Given } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';
import type { ByHand } from './under-test/agent.ts';

/** An agent that was started without Outlast. */
export interface ForeignAgent {
  readonly id: string;
  readonly child: ChildProcess;
  /** Its transcript so far. */
  text(): string;
  /** Kills it as a machine crash would, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts one turn of the stage's agent without Outlast, and waits until its conversation is known. `resumed`: one that
 * it goes on with.
 */
export async function startForeignAgent(stage: Stage, prompt: string, resumed?: string): Promise<ForeignAgent> {
  const { printedId } = stage.agent;
  const by: ByHand = resumed === undefined ? { is: 'new', id: randomUUID() } : { is: 'resume', id: resumed };
  const { child, output } = turnByHand(stage, by, prompt);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const named = (): string | null => (printedId === undefined ? child.chosen : printedId(output(), stage.root));
  const id = await eventually(named, { what: 'the id of a conversation', msMax: 60_000 });
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

/** A turn without Outlast, and what it printed so far. */
interface TurnByHand {
  readonly child: ChildProcess & { readonly chosen: string };
  output(): string;
}

/** Runs one turn of the stage's agent without Outlast. */
export function turnByHand(stage: Stage, conversation: ByHand, prompt: string, env = stage.env): TurnByHand {
  const [program, ...words] = stage.agent.argv(stage.root);
  const child = spawn(program, [...words, ...stage.agent.turnByHand(conversation)], {
    cwd: stage.workspace,
    // Lets the stage find and end what the agent leaves behind.
    env: { ...env, OUTLAST_STATE: stage.world.state },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(prompt);
  return {
    child: Object.assign(child, { chosen: conversation.id }),
    output: () => Buffer.concat(printed).toString('utf8'),
  };
}

/** Plays a turn without Outlast, to its end, and returns the id of its conversation. */
export async function answeredTurn(stage: Stage, prompt: string): Promise<string> {
  const { id, child } = await startForeignAgent(stage, prompt);
  await eventually(() => child.exitCode !== null, { what: 'the end of a turn', msMax: 30_000 });
  return id;
}

/** Waits until its transcript contains this text. */
export async function waitForTranscript({ text }: ForeignAgent, words: string): Promise<void> {
  await eventually(() => text().includes(words), { what: `a transcript with ${words}`, msMax: 60_000 });
}

/** Runs `outlast boot` on the conversations of this stage only. */
export function runBoot(stage: Stage, input: Omit<Given<'boot.run'>, 'env'> = {}): Promise<BootView> {
  return stage.world.client.call('boot.run', { only: [stage.agent.name], delayMs: 0, ...input, env: stage.env });
}

/** The verdict of a dry run about one conversation. */
export async function verdictOf(stage: Stage, id: string): Promise<ConversationView | undefined> {
  return (await runBoot(stage, { dryRun: true })).conversations.find((one) => one.id === id);
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
