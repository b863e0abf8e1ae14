import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { echoes } from '../../src/agent/echo/echo.ts';
import type { Request } from '../../src/agent/echo/protocol.ts';
import type { RunPlan } from '../../src/agent/seam/agent.ts';
import type { Wire as AgentWire } from '../../src/agent/seam/server.ts';
import { assert } from '../../src/base/assert.ts';
import { realClock } from '../../src/base/clock.ts';
import type { Launch } from '../../src/core/launch.ts';
import type { Spec } from '../../src/core/session.ts';
import { openWire } from '../../src/supervisor/wires/open.ts';
import type { Wire } from '../../src/supervisor/wires/wire.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { signal } from '../../src/terminal/processes.ts';
import { installPrograms, PROGRAM_PATH } from '../../src/terminal/programs.ts';
import { type RunFolder, runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';
import { makeBench, type TerminalBench } from '../../src/testing/terminal-bench.ts';
import { eventually } from '../eventually.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(ROOT, 'src/agent/echo/program/main.ts');

type Fields = Readonly<Record<string, unknown>>;
type Over = AgentWire['over'];
interface Listener extends AsyncDisposable {
  connections(): number;
}

/** Opens a run of echo, or of another program in its place, and a wire to it. `before` may occupy its address. */
export async function openEcho(
  over: Over,
  argv?: Launch['argv'],
  before?: (run: { state: string; ref: RunRef }) => Promise<Listener>,
): Promise<Run> {
  const bench = await makeBench((state) => pipe({ state, programs: installPrograms(state), clock: realClock() }));
  const ref = bench.ref();
  const foreign = (await before?.({ state: bench.state, ref })) ?? null;
  const agent = echoes(process.execPath, PROGRAM).find(({ server }) => server?.wire.over === over);
  const wire = agent?.server?.wire;
  assert(agent !== undefined && wire !== undefined, `there is an echo over ${over}`);
  const run = new Run(bench, ref, wire, foreign);
  const launch = agent.launch(specIn(bench.scratch), { env: envOf(run.home), umask: 0o077 }, planOf(run.files));
  await bench.terminal.open(ref, argv === undefined ? launch : { ...launch, argv }, { columns: 80, rows: 24 });
  return run;
}

function specIn(workspace: string): Spec {
  const defaults = {
    forkOf: null,
    model: null,
    args: [],
    envNames: [],
    trusted: false,
    after: [],
    screen: 'pty',
  } as const;
  const conversation = { chosenBy: 'agent', id: null, ...defaults } as const;
  return { ...COMMAND_SPEC, agent: 'echo', drive: 'server', workspace, conversation };
}

function envOf(home: string): Record<string, string> {
  return { PATH: PROGRAM_PATH, HOME: home, ECHO_HOME: home };
}

function planOf({ folder, files }: RunFolder): RunPlan {
  const fresh = { how: 'launch', conversation: null, origin: null, promptPath: null } as const;
  return { ...fresh, folder, files, hook: 'true', tell: null, ask: null };
}

/** A run of echo, and the wire to it. Received messages are collected. */
export class Run implements AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly files: RunFolder;
  readonly logged: string[] = [];
  readonly garbage: string[] = [];
  readonly foreign: Listener | null;
  wire: Wire;
  /** The messages of the current wire. */
  received: Fields[] = [];
  readonly #bench: TerminalBench;
  readonly #ref: RunRef;
  readonly #over: AgentWire;
  #atBytes = 0;

  constructor(bench: TerminalBench, ref: RunRef, over: AgentWire, foreign: Listener | null) {
    this.cwd = bench.scratch;
    this.home = join(bench.state, 'echo');
    this.files = runFolder(bench.state, ref);
    this.foreign = foreign;
    this.#bench = bench;
    this.#ref = ref;
    this.#over = over;
    mkdirSync(this.files.folder, { recursive: true, mode: 0o700 });
    this.wire = this.#open();
  }

  /** Replaces the reader, as a new daemon would. */
  reopen(): void {
    this.wire.close();
    this.received = [];
    this.wire = this.#open();
  }

  async connected(): Promise<void> {
    await eventually(() => this.wire.state === 'open');
  }

  request(request: Request): Promise<void> {
    const { id } = request;
    const call = { is: 'call', id, method: 'POST', path: '/request', body: request } as const;
    return this.wire.send(this.#over.over === 'http' ? call : { is: 'message', id, data: request });
  }

  receive(): void {
    for (let more = this.wire.take(); more.length > 0; more = this.wire.take()) {
      for (const { message, atBytes } of more) {
        if (message.is === 'garbage') this.garbage.push(message.text);
        else this.received.push(message.data as Fields);
        this.#atBytes = Math.max(this.#atBytes, atBytes);
      }
    }
  }

  async until(is: (data: Fields) => boolean): Promise<Fields> {
    return eventually(() => {
      this.receive();
      return this.received.find(is);
    });
  }

  kill(who: 'command' | 'keeper'): void {
    const identity = runIdentities(this.#bench.state, this.#ref)[who];
    assert(identity !== null && signal(identity, 'SIGKILL'), `the ${who} was alive and could be killed`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.wire.close();
    await this.foreign?.[Symbol.asyncDispose]();
    await this.#bench[Symbol.asyncDispose]();
  }

  #open(): Wire {
    return openWire({
      state: this.#bench.state,
      ref: this.#ref,
      wire: this.#over,
      fromBytes: this.#atBytes,
      onChange: () => {},
      clock: this.#bench.clock,
      log: (line) => this.logged.push(line),
    });
  }
}
