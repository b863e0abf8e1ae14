import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Places } from './places.ts';

/** The result of a tool call. */
export interface ToolEnd {
  readonly error: string | null;
  readonly text: string;
}

type Input = Readonly<Record<string, unknown>>;

/** Uses a tool: `shell`, `read` or `write`. Each use is recorded in a file before it has any effect. */
export async function useTool(places: Places, tool: string, given: unknown, signal: AbortSignal): Promise<ToolEnd> {
  const input = (typeof given === 'object' && given !== null ? given : {}) as Input;
  appendFileSync(places.uses, `${JSON.stringify({ tool, input })}\n`);
  const path = resolve(places.cwd, String(input.path ?? ''));
  try {
    switch (tool) {
      case 'shell':
        return await run(String(input.command ?? ''), places.cwd, signal);
      case 'read':
        return { error: null, text: readFileSync(path, 'utf8') };
      case 'write':
        writeFileSync(path, String(input.text ?? ''));
        return { error: null, text: `wrote ${String(input.path)}` };
      default:
        return { error: `unknown tool "${tool}"`, text: '' };
    }
  } catch (error) {
    return { error: String(error), text: '' };
  }
}

/** Runs a command. When the signal fires, the command and its group are killed. */
function run(command: string, cwd: string, signal: AbortSignal): Promise<ToolEnd> {
  return new Promise((ended) => {
    const child = spawn('sh', ['-c', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => texts.push(String(piece)));
    const kill = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    signal.addEventListener('abort', kill, { once: true });
    child.once('error', (error) => ended({ error: error.message, text: '' }));
    child.once('exit', (status, name) => {
      signal.removeEventListener('abort', kill);
      const text = texts.join('').trimEnd();
      ended(status === 0 ? { error: null, text } : { error: `it exited with ${status ?? name}`, text });
    });
  });
}
