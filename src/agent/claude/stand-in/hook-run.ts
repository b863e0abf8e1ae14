import { spawn } from 'node:child_process';
import type { Clock } from '../../../base/clock.ts';

/** One hook of the settings: a command for the shell. */
export interface HookCommand {
  readonly command: string;
  readonly timeoutMs: number;
  /** `block`: a failure of the hook is a denial. */
  readonly onFailure: string | null;
}

/** How a hook's command ended. */
export interface HookEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly late: boolean;
}

interface CallerProcess {
  readonly clock: Clock;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the hook early. */
  readonly signal: AbortSignal | undefined;
}

const DRAIN_MS = 100;

/** Runs a hook's command with the payload on its stdin, and waits for its exit or its deadline. */
export async function runHook(hook: HookCommand, payload: string, caller: CallerProcess): Promise<HookEnd> {
  const child = spawn('sh', ['-c', hook.command], { cwd: caller.cwd, env: caller.env, detached: true, stdio: 'pipe' });
  const out: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (piece) => (out[name] += String(piece)));
  // A hook may exit without reading.
  child.stdin.on('error', () => {});
  child.stdin.end(payload);
  const over = new AbortController();
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (status) => resolve(status));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const stopped = AbortSignal.any([over.signal, ...(caller.signal === undefined ? [] : [caller.signal])]);
  const late = caller.clock.sleep(hook.timeoutMs, stopped).then(() => 'late' as const);
  const first = await Promise.race([ended, late]);
  over.abort();
  if (first === 'late') signalGroup(child.pid, 'SIGTERM');
  // With a limit: a background process of the hook may hold its output open.
  await Promise.race([closed, caller.clock.sleep(DRAIN_MS)]);
  return { status: first === 'late' ? null : first, ...out, late: first === 'late' };
}

/** Sends a signal to a process and its group, if they exist. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It had already exited.
  }
}
