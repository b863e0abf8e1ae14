import { expect, test } from 'vitest';
import { realClock } from '../base/clock.ts';
import type { InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import { memoryJournal } from '../journal/memory-journal.ts';
import { snapshot } from '../testing/sessions.ts';
import { COMMAND_SPEC } from '../testing/spec.ts';
import { Loop, type World } from './loop.ts';
import { SessionWriter } from './session-writer.ts';

const clock = realClock();
const DEAD = {
  is: 'dead',
  exit: { status: 143 },
  outputBytes: 0,
  exitAgeMs: 0,
  failed: null,
  drained: true,
} as const;

/** Steps a run whose process has exited. `looking` happens during the look. Returns the new events. */
async function step(looking: (stopping: AbortController) => void): Promise<readonly string[]> {
  const journal = memoryJournal();
  const first = { id: 's' as SessionId, spec: COMMAND_SPEC, cause: 'c' as InputId, boot: 'b' };
  const writer = SessionWriter.create(journal, clock, first);
  writer.append([{ type: 'run.opened', run: 1, pid: 7 }], null);
  const before = journal.head();
  const stopping = new AbortController();
  const world: World = {
    clock,
    ingest: () => Promise.resolve(),
    async look() {
      looking(stopping);
      return snapshot({ terminal: DEAD });
    },
    slot: () => true,
    act: () => Promise.reject(new Error('no effect is expected')),
  };
  await new Loop(writer, world, { stopping: stopping.signal }).step();
  return journal.read(before, 10).map(({ event }) => event.body.type);
}

test('an exit that is seen while the daemon is being stopped is left to the next daemon', async () => {
  expect(await step(() => {})).toEqual(['run.ended', 'session.ended']);
  expect(await step((stopping) => stopping.abort())).toEqual([]);
});

test('a signal that is pending when the exit is seen counts as a stop', async () => {
  const signalled = (stopping: AbortController): void => {
    process.once('SIGUSR2', () => stopping.abort());
    process.kill(process.pid, 'SIGUSR2');
  };
  expect(await step(signalled)).toEqual([]);
});
