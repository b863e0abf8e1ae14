import { expect, test } from 'vitest';
import { aSession } from '../testing/session-view.ts';
import { Print, type Sink } from './base/print.ts';
import { pageOf } from './home.ts';

const sink: Sink = { isTty: true, columns: 80, write: async () => {} };
const print = new Print(sink, sink, { NO_COLOR: '1' });

test('each session is counted once: what needs somebody is not counted as working', () => {
  const asking = aSession({ name: 'careful', phase: 'blocked', approvals: 1 });
  const live = [asking, aSession({ name: 'slow', phase: 'working' }), aSession({ name: 'done', phase: 'idle' })];
  const page = pageOf({ live, ended: [], interrupted: null }, print, 0);
  expect(page.split('\n')[0]).toBe('3 sessions: 1 needs you, 1 working, 1 idle.');
  expect(page).toContain('outlast approvals careful --review');
});

test('with nothing that runs, it says so, and what to type', () => {
  const page = pageOf({ live: [], ended: [], interrupted: null }, print, 0);
  expect(page).toMatch(/^Nothing is running\.\n\nNext\n/);
});

test('what a person stopped has not ended badly for that person; what a limit stopped has', () => {
  const ended = { phase: 'ended', endedAtMs: 0 } as const;
  const stopped = aSession({ ...ended, name: 'by-hand', outcome: { kind: 'stopped', by: 'caller' } });
  const late = aSession({ ...ended, name: 'late', outcome: { kind: 'stopped', by: 'timeout', bound: 'timeout' } });
  const page = pageOf({ live: [], ended: [stopped, late], interrupted: null }, print, 1_000);
  expect(page).toMatch(/Ended badly\n {2}late +timed out /);
  expect(page).not.toContain('by-hand');
});
