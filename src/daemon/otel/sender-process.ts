import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Begin, Sent, Told } from './protocol.ts';

/** The program that sends, as the daemon starts it. */
export interface SenderParts {
  readonly program: string;
  /** Names the process in lists of processes. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly begin: Begin;
}

type Order = Exclude<Told, Begin>;

/** Beyond this its heap is not used for anything sensible. */
const HEAP_MB_MAX = 256;

/** The process that sends. It is started with the first order, and again after its end. */
export class SenderProcess {
  readonly #parts: SenderParts;
  #running: Running | null = null;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Sends one order; whether the collector has it. */
  send(order: Order): Promise<Sent> {
    if (this.#running === null || this.#running.isOver) this.#running = new Running(this.#parts);
    return this.#running.send(order);
  }

  /** Ends it at once: what it has not sent is sent by another one. */
  async stop(): Promise<void> {
    await this.#running?.end();
    this.#running = null;
  }
}

/** One process. */
class Running {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #waiting: ((sent: Sent) => void)[] = [];
  isOver = false;

  constructor({ program, state, env, begin }: SenderParts) {
    const argv = [`--max-old-space-size=${HEAP_MB_MAX}`, program, `${state}/`];
    // The libraries would read headers and addresses for other programs from these.
    const own = Object.entries(env).filter(([name]) => !name.startsWith('OTEL_'));
    this.#child = spawn(process.execPath, argv, {
      ...{ cwd: '/', env: { ...Object.fromEntries(own), NODE_NO_WARNINGS: '1' } },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#exited = new Promise((resolve) => {
      const end = (why: string): void => {
        this.isOver = true;
        for (const answer of this.#waiting.splice(0)) answer({ ok: false, why, isFinal: false });
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (status, signal) =>
        end(`the program that sends ended: ${signal ?? `status ${status}`}`),
      );
    });
    // A process that is gone does not read; its end says so.
    this.#child.stdin?.on('error', () => {});
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.(JSON.parse(line)));
    this.#tell(begin);
  }

  send(order: Order): Promise<Sent> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#tell(order);
    });
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  #tell(told: Told): void {
    this.#child.stdin?.write(`${JSON.stringify(told)}\n`);
  }
}
