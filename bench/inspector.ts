// Talks to the inspector of a daemon: its own profiler, and its garbage collector.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../test/eventually.ts';

/** Makes the daemon of a test world listen for an inspector. */
export const INSPECTED = ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0'] as const;

/** An open connection with the inspector. */
export interface Inspector extends Disposable {
  /** Calls a method of the protocol; returns its result. */
  ask(method: string): Promise<Record<string, unknown>>;
}

/** Connects with the daemon that has this state folder. */
export async function inspectorOf(state: string): Promise<Inspector> {
  // It prints its address once, when it starts.
  const url = await eventually(() => /ws:\/\/\S+/.exec(readFileSync(join(state, 'said'), 'utf8'))?.[0]);
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`no answer from ${url}`));
  });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, unknown> };
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  let count = 0;
  return {
    ask: (method) =>
      new Promise((resolve) => {
        count += 1;
        waiting.set(count, resolve);
        socket.send(JSON.stringify({ id: count, method }));
      }),
    [Symbol.dispose]: () => socket.close(),
  };
}
