import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { signalGroup } from './hook-run.ts';

/** A shell command and its environment. */
export interface BashCall {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly msMax: number;
}

/** How a command of the Bash tool ended; null when it was interrupted. */
export interface BashEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in its own process session. When the signal fires, it and its group are killed. */
export async function runBash(call: BashCall, clock: Clock, signal: AbortSignal): Promise<BashEnd> {
  const out = scratchFile();
  const err = scratchFile();
  try {
    const { command, cwd, env } = call;
    // Into files: background processes of the command must not block us, nor die of a closed pipe.
    const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', out, err] });
    const ended = new Promise<number>((resolve) => {
      child.once('error', () => resolve(127));
      child.once('exit', (status, name) => resolve(status ?? (name === null ? 1 : 137)));
    });
    const over = new AbortController();
    const stopped = AbortSignal.any([signal, over.signal]);
    const first = await Promise.race([ended, clock.sleep(call.msMax, stopped).then(() => null)]);
    over.abort();
    if (first === null) signalGroup(child.pid, 'SIGKILL');
    return { status: first, stdout: contentOf(out), stderr: contentOf(err) };
  } finally {
    closeSync(out);
    closeSync(err);
  }
}

function scratchFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-scripted-'));
  const file = openSync(join(folder, 'out'), 'w+', 0o600);
  rmSync(folder, { recursive: true });
  return file;
}

function contentOf(file: number): string {
  const bytes = Buffer.alloc(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  return bytes.toString('utf8').replace(/\n+$/, '');
}
