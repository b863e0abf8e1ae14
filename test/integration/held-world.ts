import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import type { SessionId } from '../../src/core/session.ts';
import type { TerminalSnapshot } from '../../src/core/snapshot.ts';
import { endRun } from '../../src/terminal/end.ts';
import { held } from '../../src/terminal/held.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { type Identity, isAlive, signal } from '../../src/terminal/processes.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef, Terminal } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';

type Dead = Extract<TerminalSnapshot, { is: 'dead' }>;

/** A state folder, with runs on pseudoterminals that are ended when it is disposed. */
export class HeldWorld implements AsyncDisposable {
  readonly clock = realClock();
  readonly state = mkdtempSync(join(tmpdir(), 'outlast-pty-'));
  terminal = this.restarted();
  #refs: RunRef[] = [];

  /** What a newly started daemon has: nothing but the state folder. */
  restarted(): Terminal {
    return held({
      state: this.state,
      programs: installPrograms(this.state),
      clock: this.clock,
      holder: join(import.meta.dirname, '../../dist/holder.js'),
      node: process.execPath,
    });
  }

  /** Runs a line of sh on a new pseudoterminal. */
  async run(script: string, size = { columns: 80, rows: 24 }): Promise<RunRef> {
    // Never a name of another test: a run's processes are found, and ended, by it.
    const ref = { session: newId(this.clock.wallMs()) as SessionId, run: 1 };
    this.#refs.push(ref);
    const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
    const rest = { env, cwd: this.state, umask: 0o022, stdin: 'open', split: false } as const;
    await this.terminal.open(ref, { argv: ['sh', '-c', script], ...rest }, size);
    return ref;
  }

  output(ref: RunRef): string {
    return this.bytes(ref).toString();
  }

  bytes(ref: RunRef): Buffer {
    const { output } = runFolder(this.state, ref);
    return existsSync(output) ? readFileSync(output) : Buffer.alloc(0);
  }

  /** Waits until this text was printed. */
  async printed(ref: RunRef, text: string): Promise<string> {
    await eventually(() => this.output(ref).includes(text), { what: `print ${JSON.stringify(text)}` });
    return this.output(ref);
  }

  /** Waits until the run has ended and its output is complete. */
  async waitForEnd(ref: RunRef): Promise<Dead> {
    return eventually(async () => {
      const snapshot = await this.terminal.look(ref);
      if (snapshot.is === 'dead' && snapshot.drained) return snapshot;
      throw new Error(JSON.stringify(snapshot));
    });
  }

  holder(ref: RunRef): Identity {
    const { holder } = runIdentities(this.state, ref);
    if (holder === null) throw new Error('no holder');
    return holder;
  }

  async killHolder(ref: RunRef): Promise<void> {
    const holder = this.holder(ref);
    signal(holder, 'SIGKILL');
    await eventually(() => !isAlive(holder), { what: 'the end of the holder' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const ref of this.#refs) {
      await endRun(this.state, ref, { graceMs: 0, clock: this.clock });
      await this.terminal.release(ref);
    }
    rmSync(this.state, { recursive: true, force: true });
  }
}
