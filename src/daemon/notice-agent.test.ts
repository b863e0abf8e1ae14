import { expect, test } from 'vitest';
import { realClock } from '../base/clock.ts';
import type { EventBody, InputId } from '../core/event.ts';
import { COMMAND } from '../core/policy.ts';
import type { PromptId, SessionId, Spec } from '../core/session.ts';
import { memoryJournal } from '../journal/memory.ts';
import { Book } from '../supervisor/book.ts';
import { isFor, noticeItem } from './notice-item.ts';

const SPEC: Spec = {
  name: 'fix',
  agent: 'claude',
  drive: 'turns',
  terminal: 'pipe',
  workspace: '/',
  argv: [],
  size: { columns: 80, rows: 24 },
  stdin: 'empty',
  split: false,
  background: true,
  notify: 'output',
  keepOpen: true,
  policy: COMMAND,
};
const prompt = 'a' as PromptId;
const text = `Fix the tests,\nplease, ${'and all the rest '.repeat(10)}`;

/** The notice of the last of these events, but that somebody brought it back meanwhile. */
async function told(...bodies: EventBody[]) {
  const journal = memoryJournal();
  const book = Book.create(journal, realClock(), { id: 's' as SessionId, spec: SPEC, cause: 'c' as InputId });
  book.append([{ type: 'prompt.queued', prompt, text }, ...bodies], null);
  const entry = journal.read(0 as never, 100).findLast(({ event }) => event.body.type !== 'session.resumed');
  if (entry === undefined) throw new Error('no event');
  const item = await noticeItem(entry, book.session, '/nonexistent');
  return { ...item, isFor: (...on: never[]) => isFor(on, entry.event, book.session) };
}

test('a reply is told with the first words of its prompt and its own first lines', async () => {
  const item = await told({ type: 'prompt.answered', prompt, reply: '\n\u001b[1mDone.\u001b[0m  \n\nAll pass.' });
  expect(item.command).toBe('claude "Fix the tests, please, and all the rest and all the rest an…"');
  expect([item.snippet, item.read, item.failed]).toEqual(['Done.\nAll pass.', 'outlast turn s', false]);
  expect(item.isFor('prompt.answered' as never)).toBe(true);
});

test('a turn that failed is told with the words of the error', async () => {
  const item = await told({ type: 'prompt.failed', prompt, error: 'no\ncredit' });
  expect([item.why, item.snippet, item.failed]).toEqual(['no credit', 'no\ncredit', true]);
});

test('who is needed is told where to go', async () => {
  const held = await told({ type: 'session.held', run: 1, why: { kind: 'login', text: 'log in first' } });
  expect([held.why, held.read]).toEqual(['log in first', 'outlast attach s']);
  expect(held.command).toMatch(/^claude "Fix the tests/);
  const unsure = await told({ type: 'prompt.unsure', prompt, waitedMs: 1 });
  expect(unsure.read).toBe('outlast attach s');
  expect(unsure.command).toMatch(/^claude "Fix the tests/);
});

test('a session whose last turn failed is a failure', async () => {
  const outcome = { kind: 'failed', error: 'no credit' } as const;
  const item = await told({ type: 'prompt.failed', prompt, error: 'no credit' }, { type: 'session.ended', outcome });
  expect([item.outcome, item.failed, item.snippet]).toEqual([{ kind: 'failed', why: 'no credit' }, true, 'no credit']);
  expect([item.isFor('failed' as never), item.isFor('ended' as never)]).toEqual([true, true]);
});

test('a session that is done is no failure, and shows its last reply', async () => {
  const item = await told(
    { type: 'prompt.answered', prompt, reply: 'Done.' },
    { type: 'session.ended', outcome: { kind: 'done', exit: null } },
  );
  expect([item.failed, item.snippet, item.isFor('failed' as never)]).toEqual([false, 'Done.', false]);
  expect(item.isFor('ended' as never)).toBe(true);
});

test('a bad end carries the first lines of its report, and says how to read all of it', async () => {
  const fault = { kind: 'exited', exit: { status: 137 } } as const;
  const outcome = { kind: 'abandoned', fault, why: 'it was resumed 10 times' } as const;
  const bad = await told({ type: 'session.ended', outcome });
  expect(bad.report).toEqual([
    expect.stringMatching(/^It was given up after .* s: signal 9 KILL \(or exit 137\); it was resumed 10 times\.$/),
    '0 runs, 0 resumes after faults; 0 turns, 0 tokens, cost not known.',
    'No turn was finished.',
    expect.stringMatching(/^Not answered: "Fix the tests, please, .*…" \(queued\)$/),
  ]);
  expect(bad.read).toBe('outlast report s');
  const failed = { kind: 'failed', error: 'TOKEN=hunter2' } as const;
  const back = await told({ type: 'session.ended', outcome: failed }, { type: 'session.resumed', by: 'ann' });
  expect(back.report?.[0]).toMatch(/^Its last turn failed, after /);
  expect(back.report?.[0]).toMatch(/TOKEN=\*\*\*$/);
  expect((await told({ type: 'session.ended', outcome: { kind: 'done', exit: null } })).report).toBeUndefined();
});
