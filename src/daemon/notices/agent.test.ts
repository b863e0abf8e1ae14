import { expect, test } from 'vitest';
import { claudeActions } from '../../agent/claude/actions.ts';
import { realClock } from '../../base/clock.ts';
import { person } from '../../core/actor.ts';
import type { EventBody, InputId } from '../../core/event.ts';
import type { ApprovalId, PromptId, SessionId, Spec } from '../../core/session.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { SessionWriter } from '../../supervisor/session-writer.ts';
import { asked, decided } from '../../testing/sessions.ts';
import { COMMAND_SPEC } from '../../testing/spec.ts';
import { isFor, noticeItem } from './item.ts';
import { headline } from './text.ts';

const SPEC: Spec = { ...COMMAND_SPEC, name: 'fix', agent: 'claude', drive: 'turns', argv: [], keepOpen: true };
const prompt = 'a' as PromptId;
const text = `Fix the tests,\nplease, ${'and all the rest '.repeat(10)}`;

/** The notice of the last of these events. */
async function noticeOf(...bodies: EventBody[]) {
  const journal = memoryJournal();
  const writer = SessionWriter.create(journal, realClock(), {
    id: 's' as SessionId,
    spec: SPEC,
    cause: 'c' as InputId,
  });
  writer.append([{ type: 'prompt.queued', prompt, text }, ...bodies], null);
  const entry = journal.read(0 as never, 100).findLast(({ event }) => event.body.type !== 'session.resumed');
  if (entry === undefined) throw new Error('no event');
  const item = await noticeItem(entry, writer.session, {
    state: '/nonexistent',
    actions: (_, ...call) => claudeActions(...call),
  });
  return { ...item, isFor: (...on: never[]) => isFor(on, entry.event, writer.session) };
}

test('a reply is shown with the beginning of its prompt and its own first lines', async () => {
  const item = await noticeOf({ type: 'prompt.answered', prompt, reply: '\n\u001b[1mDone.\u001b[0m  \n\nAll pass.' });
  expect(item.command).toBe('claude "Fix the tests, please, and all the rest and all the rest an…"');
  expect([item.snippet, item.read, item.failed]).toEqual(['Done.\nAll pass.', 'outlast turn s', false]);
  expect(item.isFor('prompt.answered' as never)).toBe(true);
});

test('a failed turn is shown with its error text', async () => {
  const item = await noticeOf({ type: 'prompt.failed', prompt, error: 'no\ncredit' });
  expect([item.why, item.snippet, item.failed]).toEqual(['no credit', 'no\ncredit', true]);
});

test('a notice that needs a person names the command to run', async () => {
  const held = await noticeOf({ type: 'session.held', run: 1, why: { kind: 'login', text: 'log in first' } });
  expect([held.why, held.read]).toEqual(['log in first', 'outlast attach s']);
  expect(held.command).toMatch(/^claude "Fix the tests/);
  const unsure = await noticeOf({ type: 'prompt.unsure', prompt, waitedMs: 1 });
  expect(unsure.read).toBe('outlast attach s');
  expect(unsure.command).toMatch(/^claude "Fix the tests/);
});

test('a session whose last turn failed is a failure', async () => {
  const outcome = { kind: 'failed', error: 'no credit' } as const;
  const item = await noticeOf(
    { type: 'prompt.failed', prompt, error: 'no credit' },
    { type: 'session.ended', outcome },
  );
  expect([item.outcome, item.failed, item.snippet]).toEqual([{ kind: 'failed', why: 'no credit' }, true, 'no credit']);
  expect([item.isFor('failed' as never), item.isFor('ended' as never)]).toEqual([true, true]);
});

test('a session that is done is not a failure, and shows its last reply', async () => {
  const item = await noticeOf(
    { type: 'prompt.answered', prompt, reply: 'Done.' },
    { type: 'session.ended', outcome: { kind: 'done', exit: null } },
  );
  expect([item.failed, item.snippet, item.isFor('failed' as never)]).toEqual([false, 'Done.', false]);
  expect(item.isFor('ended' as never)).toBe(true);
});

test('a bad end has the first lines of its report, and the command that shows the rest', async () => {
  const fault = { kind: 'exited', exit: { status: 137 } } as const;
  const outcome = { kind: 'abandoned', fault, why: 'it was resumed 10 times' } as const;
  const bad = await noticeOf({ type: 'session.ended', outcome });
  expect(bad.report).toEqual([
    expect.stringMatching(/^Ended after .*s: abandoned: signal 9 KILL \(or exit 137\); it was resumed 10 times$/),
    '0 runs, 0 resumes after faults; 0 turns, 0 tokens, cost unknown.',
    'No turn was finished.',
    expect.stringMatching(/^Not answered: "Fix the tests, please, .*…" \(queued\)$/),
  ]);
  expect(bad.read).toBe('outlast report s');
  const failed = { kind: 'failed', error: 'TOKEN=hunter2' } as const;
  const back = await noticeOf(
    { type: 'session.ended', outcome: failed },
    { type: 'session.resumed', by: person('ann') },
  );
  expect(back.report?.[0]).toMatch(/^Ended after .*: failed: /);
  expect(back.report?.[0]).toMatch(/TOKEN=\*\*\*$/);
  expect((await noticeOf({ type: 'session.ended', outcome: { kind: 'done', exit: null } })).report).toBeUndefined();
});

test('a question can be answered from a phone, unless it is answered already', async () => {
  const input = JSON.stringify({ command: 'npm publish --tag next', description: 'x' });
  const question = asked('k7mpq2xw', { input });
  const item = await noticeOf(question);
  expect(headline(item)).toMatch(/^claude "Fix the tests, .*" \(fix\) asks whether it may use Bash$/);
  expect(item.snippet).toBe('npm publish --tag next');
  expect(item.read).toBe('outlast approve k7mpq2xw   or   outlast deny k7mpq2xw --why "…"');
  expect(item.isFor('approval.asked' as never)).toBe(true);
  const odd = await noticeOf(asked('q2', { tool: 'mcp__x__y', input: '{"n":1}' }));
  expect(odd.snippet).toBe('{"n":1}');
  const journal = memoryJournal();
  const writer = SessionWriter.create(journal, realClock(), {
    id: 's' as SessionId,
    spec: SPEC,
    cause: 'c' as InputId,
  });
  writer.append([question, decided('k7mpq2xw', true, { is: 'rule', rule: 'Bash(x)' })], null);
  const entry = journal.read(0 as never, 100).find(({ event }) => event.body.type === 'approval.asked');
  if (entry === undefined) throw new Error('no event');
  expect(isFor(['approval.asked'], entry.event, writer.session)).toBe(false);
});

test('a bypass of the gate, and a failed try, are described in plain words', async () => {
  const breached: EventBody = { type: 'approval.breached', run: 1, call: 'c', tool: 'Write', evidence: 'its hook' };
  expect(headline(await noticeOf(breached))).toContain('(fix): Write was used without being allowed');
  const refused: EventBody = {
    type: 'approval.refused',
    approval: 'q' as ApprovalId,
    run: 1,
    by: { is: 'program', name: 'process 7 (sh)' },
  };
  expect(headline(await noticeOf(refused))).toContain('(fix): it tried to decide its own call q: process 7 (sh)');
});
