import { spawnSync } from 'node:child_process';
import type { Note, Saying } from '../protocol.ts';

/** Reports an event: to a hook, to standard output, or to both. */
export type Say = (saying: Saying) => void;

/** Numbers events, and passes them on. */
export function counted(...tell: readonly ((note: Note) => void)[]): Say {
  let n = 0;
  return (saying) => {
    n += 1;
    for (const each of tell) each({ n, ...saying });
  };
}

/** Runs a command for an event, with the event on its standard input, and waits for its exit. */
export function hook(command: string | undefined, only?: readonly Saying['on'][]): (note: Note) => void {
  return (note) => {
    if (command === undefined || only?.includes(note.on) === false) return;
    spawnSync('sh', ['-c', command], { input: JSON.stringify(note), stdio: ['pipe', 'ignore', 'ignore'] });
  };
}
