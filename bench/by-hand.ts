// Turns of a real agent without Outlast, launched as its adapter would.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { allAgents } from '../src/agent/all.ts';
import { type KnownAgent, knownAgent } from '../src/agent/known.ts';
import type { ConversationId } from '../src/core/session.ts';
import { hookProbeSpec } from '../src/daemon/gate/hook-probe.ts';
import { plannedLaunch } from '../src/supervisor/native-program.ts';
import type { Stage } from '../test/agents/stage.ts';

const AGENTS = allAgents(process.execPath, (own) => `${own}.js`);

/** How long a turn by hand took. */
export interface HandTurn {
  /** From the start of the process to its end. */
  readonly tookMs: number;
  readonly goneMs: number;
  /** From its start until it has reported the prompt; of an agent that reports it by hooks: until its first line. */
  readonly promptedMs: number;
}

interface Line {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** One conversation with an agent, turn by turn, as a person at a shell would have it. */
export class ByHand {
  readonly #stage: Stage;
  readonly #agent: KnownAgent;
  readonly #ours = randomUUID();
  #conversation: string | null = null;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#agent = knownAgent(AGENTS, stage.agent.name);
  }

  /** Runs a turn to its end. The reply has to be in its output. */
  async turn(prompt: string, reply: string): Promise<HandTurn> {
    const { root, workspace, agent } = this.#stage;
    const path = join(root, 'prompt-by-hand');
    writeFileSync(path, prompt);
    const { argv, env } = this.#line(path);
    const [program, ...args] = argv;
    const input = openSync(path, 'r');
    const beganMs = performance.now();
    // In a process session of its own, as ours are: the scheduler shares a busy machine among those.
    const child = spawn(program, args, { cwd: workspace, env, stdio: [input, 'pipe', 'ignore'], detached: true });
    closeSync(input);
    const { output, promptedAtMs } = await this.#heard(child);
    const tookMs = performance.now() - beganMs;
    if (!output.includes(reply)) throw new Error(`${agent.title} by hand gave no reply: ${output.slice(-2_000)}`);
    const { printedId = () => this.#ours } = agent;
    this.#conversation ??= printedId(output, root);
    return { tookMs, goneMs: tookMs, promptedMs: promptedAtMs - beganMs };
  }

  #line(promptPath: string): Line {
    const { agent, env, root, workspace } = this.#stage;
    const is = this.#conversation === null ? 'new' : 'resume';
    const id = this.#conversation ?? this.#ours;
    // Its planned launch has hooks of ours, which nobody has by hand; an agent without turns is started in another way.
    const hasPlan = this.#agent.hooks === undefined && this.#agent.turns !== undefined;
    const [program, ...words] = agent.argv(root);
    if (!hasPlan) return { argv: [program, ...words, ...agent.turnByHand({ is, id })], env };
    const folder = join(root, 'by-hand');
    mkdirSync(folder, { recursive: true });
    const caller = { env, umask: 0o022 };
    const plan = { how: is === 'new' ? 'launch' : 'resume', origin: null, tell: null, ask: null } as const;
    const ids = { conversation: (is === 'new' && agent.printedId !== undefined ? null : id) as ConversationId | null };
    const files = { promptPath, folder, files: folder, hook: 'true' };
    return plannedLaunch(this.#agent, hookProbeSpec(this.#agent, workspace), caller, { ...plan, ...ids, ...files });
  }

  async #heard(child: ChildProcess): Promise<{ output: string; promptedAtMs: number }> {
    const { turns, hooks } = this.#agent;
    const listener = turns?.listener(1);
    const lines: string[] = [];
    let promptedAtMs = Number.NaN;
    const { stdout } = child;
    if (stdout === null) throw new Error('its output is a pipe');
    createInterface({ input: stdout }).on('line', (line) => {
      const isPrompted = hooks !== undefined || listener?.(line).some(({ type }) => type === 'hook.prompted');
      if (isPrompted && Number.isNaN(promptedAtMs)) promptedAtMs = performance.now();
      lines.push(line);
    });
    await new Promise((done, failed) => child.once('close', done).once('error', failed));
    return { output: lines.join('\n'), promptedAtMs };
  }
}
