import { expect, test } from 'vitest';
import { delayed } from './next-delayed.ts';
import type { Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, wait } from './steps.ts';

const DELAY = { untilMs: 60_000, why: 'it is too early' };
const START = { type: 'run.starting', run: 2, how: 'resume', boot: 'b' } as const;

function step(more: { delay?: typeof DELAY; wallMs?: number; how?: 'launch'; told?: boolean; queued?: boolean }) {
  const prompts = more.queued ? [{ id: 'p', state: 'queued' }] : [{ id: 'p', state: 'accepted' }];
  const conversation = more.told ? { delay: DELAY } : {};
  const session = { run: { number: 1 }, prompts, conversation } as unknown as Session;
  const { delay = DELAY, wallMs = 20_000, how = 'resume' } = more;
  const snapshot = { transcript: { delay }, wallMs } as unknown as Snapshot;
  return delayed(session, snapshot, append({ ...START, how }), 5_000);
}

const TOLD = { type: 'run.delayed', run: 2, ...DELAY };

test('a run that would open a conversation too early waits, and the reason is recorded once', () => {
  expect(step({})).toEqual({ do: 'append', events: [TOLD] });
  const waiting = { type: 'prompt.waiting', prompt: 'p', why: DELAY.why };
  expect(step({ queued: true })).toEqual({ do: 'append', events: [TOLD, waiting] });
  expect(step({ told: true })).toEqual(wait(15_000));
  expect(step({ told: true, wallMs: 59_000 })).toEqual(wait(6_000));
});

test('it starts when the time has come, and what opens no conversation does not wait', () => {
  expect(step({ told: true, wallMs: 60_000 })).toEqual(append(START));
  expect(step({ how: 'launch' })).toEqual(append({ ...START, how: 'launch' }));
  const none = { transcript: {}, wallMs: 0 } as unknown as Snapshot;
  expect(delayed({} as Session, none, append(START), 0)).toEqual(append(START));
});
