import { expect, test } from 'vitest';
import { byPolicy, person } from '../../core/actor.ts';
import type { EventBody } from '../../core/event.ts';
import type { Outcome, PromptId } from '../../core/session.ts';
import { LIVE, prompted, READY, sessionAfter, TURNS } from '../../testing/sessions.ts';
import { plain, reportHead } from './head.ts';

const NOW = 1_000 + 42_000;
const ended = (outcome: Outcome): EventBody => ({ type: 'session.ended', outcome });
const COMMAND = { ...TURNS, drive: 'command', argv: ['make'] } as const;
const run: EventBody[] = [
  { type: 'run.starting', run: 1, how: 'launch', boot: 'b' },
  { type: 'run.opened', run: 1, pid: 7 },
];

test.each<[string, EventBody[]]>([
  ['About to start; requested 42s ago.', []],
  ['Running (working); started 42s ago.', run],
  ['Ended after 42s: exit 0', [...run, ended({ kind: 'done', exit: { status: 0 } })]],
  ['Ended after 42s: exit 3', [...run, ended({ kind: 'done', exit: { status: 3 } })]],
  ['Ended after 42s: stopped by ann', [...run, ended({ kind: 'stopped', by: person('ann') })]],
  ['Ended after 42s: timed out', [...run, ended({ kind: 'stopped', by: byPolicy('timeout') })]],
  [
    'Ended after 42s: abandoned: could not be started: there is no such command',
    [ended({ kind: 'abandoned', fault: { kind: 'unstarted', why: 'missing' } })],
  ],
])('the head of a command is one sentence: %s', (sentence, events) => {
  expect(reportHead(sessionAfter(COMMAND, ...events), NOW)).toEqual([sentence]);
});

test.each<[string, EventBody[]]>([
  ['Idle; started 42s ago.', []],
  ['It needs a person: Log in.', [{ type: 'session.held', run: 1, why: { kind: 'login', text: 'Log in.' } }]],
  [
    'It waits for the end of a usage limit, until 1970-01-02T00:00:00Z.',
    [{ type: 'session.limited', run: 1, untilMs: 86_400_000, text: 'limit' }],
  ],
  [
    'It failed and will be retried: no progress for 15m.',
    [{ type: 'run.faulted', run: 1, fault: { kind: 'stalled', silentMs: 900_000 }, retryAtMs: 1 }],
  ],
  ['Ending after 42s: stopped by ann', [{ type: 'session.closing', outcome: { kind: 'stopped', by: person('ann') } }]],
  ['Ended after 42s: done', [ended({ kind: 'done', exit: null })]],
  ['Ended after 42s: failed: no credit', [ended({ kind: 'failed', error: 'no\ncredit' })]],
  [
    'Ended after 42s: abandoned: signal 9 KILL (or exit 137); it was resumed 10 times',
    [
      ended({
        kind: 'abandoned',
        fault: { kind: 'exited', exit: { status: 137 } },
        why: 'it was resumed 10 times',
      }),
    ],
  ],
])('the first line for an agent is: %s', (sentence, events) => {
  expect(reportHead(sessionAfter(LIVE, ...READY, ...events), NOW)[0]).toBe(sentence);
});

test('the next lines for an agent show its usage, how its last turn ended and the unanswered prompts', () => {
  const session = sessionAfter(
    LIVE,
    ...READY,
    ...prompted('a', 'accepted'),
    { type: 'prompt.failed', prompt: 'a' as PromptId, error: 'no credit' },
    { type: 'usage.counted', prompt: 'a' as PromptId, usage: { turns: 1, tokens: 1_234, usd: 0.125 } },
    { type: 'run.faulted', run: 1, fault: { kind: 'exited', exit: { status: 1 } }, retryAtMs: 1 },
    { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
    ...prompted('b', 'queued'),
    ...prompted('c', 'queued'),
  );
  expect(reportHead(session, NOW).slice(1)).toEqual([
    '2 runs, 1 resume after faults; 1 turn, 1234 tokens, $0.13.',
    'Last turn: failed: no credit',
    'Not answered: "Do b" (queued) and 1 more',
  ]);
});

test('a secret that would be cut in two is masked before it is cut', () => {
  expect(plain(`key sk-ant-api03-${'x'.repeat(40)} end`, 20)).toBe('key *** end');
  expect(plain('a\u001b[31m\r\nb', 20)).toBe('a [31m b');
});
