import { expect, test } from 'vitest';
import type { EventBody } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal, Position } from '../../journal/journal.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { prompted, READY, TURNS } from '../../testing/sessions.ts';
import type { SpanRecord } from './span.ts';
import { spanId, traceId } from './span.ts';
import { Traces } from './traces.ts';

const SECRET = 'hidden-word';
const call = (run: number, id: string): EventBody => ({
  ...{ type: 'tool.called', run, call: id, tool: 'Bash', input: SECRET, subagent: null },
});
/** A prompt is answered in its second try: the first run is lost with a call in it. */
const LIFE: readonly EventBody[] = [
  { type: 'session.created', spec: { ...TURNS, name: 'n', workspace: `/${SECRET}` } },
  ...prompted('p', 'sending').map((body) => ({ ...body, text: SECRET }) as EventBody),
  ...READY,
  { type: 'prompt.accepted', prompt: 'p' as never, turnId: null },
  call(1, 'c1'),
  { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 },
  { type: 'run.ended', run: 1, exit: null, outputBytes: 0, complete: true },
  { type: 'prompt.sending', prompt: 'p' as never, turn: 2, run: 2 },
  { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
  call(2, 'c2'),
  { type: 'tool.ended', run: 2, call: 'c2', tool: 'Bash', error: SECRET, tookMs: 5 },
  { type: 'prompt.answered', prompt: 'p' as never, reply: SECRET },
  {
    ...{ type: 'usage.counted', prompt: 'p' as never, usage: { turns: 1, tokens: 30, usd: 0.5 } },
    by: [{ model: 'model-1', tokens: 30, usd: 0.5, byKind: { input: 3, output: 5, cacheRead: 20, cacheWrite: 2 } }],
  },
  { type: 'run.ended', run: 2, exit: { status: 0 }, outputBytes: 0, complete: true },
  { type: 'session.ended', outcome: { kind: 'done', exit: null } },
];

function journalWith(events: readonly EventBody[]): Journal {
  const journal = memoryJournal();
  for (const [i, body] of events.entries()) {
    const atMs = 1_000_000 + i * 10_000;
    journal.append({ session: 's' as SessionId, afterSeq: i, cause: null, atMs, steadyMs: atMs, events: [body] });
  }
  return journal;
}

const read = (journal: Journal, after: number, max = 500) => journal.read(after as Position, max);

test('makes spans of a session, its runs, tries and calls, each with its parent', async () => {
  const journal = journalWith(LIFE);
  const spans = await new Traces(journal, false).take(read(journal, 0), 0);
  const [session, one, two] = [spanId('session', 's', 1), spanId('run', 's', 1), spanId('run', 's', 2)];
  const tries = [spanId('turn', 's', 'p', 1), spanId('turn', 's', 'p', 2)];
  expect(spans.map(({ name, span, parent, error }) => [name, span, parent, error])).toEqual([
    ['execute_tool Bash', spanId('tool', 's', 1, 'c1'), tries[0], 'unfinished'],
    ['run', one, session, 'lost'],
    ['invoke_agent fake', tries[0], one, 'unfinished'],
    ['execute_tool Bash', spanId('tool', 's', 2, 'c2'), tries[1], 'tool_error'],
    ['invoke_agent fake', tries[1], two, null],
    ['run', two, session, null],
    ['session', session, null, null],
  ]);
  expect(new Set(spans.map(({ trace }) => trace))).toEqual(new Set([traceId('s')]));
  expect(spans[4]?.attributes).toMatchObject({
    'outlast.usage.tokens': 30,
    'gen_ai.response.model': 'model-1',
    // The input includes what was cached.
    'gen_ai.usage.input_tokens': 25,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 20,
    'gen_ai.usage.cache_creation.input_tokens': 2,
  });
  expect(JSON.stringify(spans)).not.toContain(SECRET);
  const full = await new Traces(journal, true).take(read(journal, 0), 0);
  expect(full[4]?.attributes['gen_ai.input.messages']).toContain(SECRET);
  expect(full[3]?.attributes['gen_ai.tool.call.arguments']).toBe(SECRET);
});

test('a reader that is started again anywhere makes the same spans, and none is lost', async () => {
  const journal = journalWith(LIFE);
  const whole = await new Traces(journal, true).take(read(journal, 0), 0);
  for (let at = 0; at <= LIFE.length; at += 1) {
    const first = new Traces(journal, true);
    const before = await first.take(read(journal, 0, at), 0);
    // The position is not saved past a turn that waits for its usage.
    const safe = first.oldest === null ? at : first.oldest.position - 1;
    const after = await new Traces(journal, true).take(read(journal, safe), 0);
    const key = (span: SpanRecord): string => JSON.stringify(span);
    expect(new Set([...before, ...after].map(key)), `cut at ${at}`).toEqual(new Set(whole.map(key)));
  }
});

test('a turn of an agent that does not tell tokens apart has their sum only', async () => {
  const life = LIFE.map((body) =>
    body.type === 'usage.counted' ? { ...body, by: [{ model: 'model-1', tokens: 30, usd: 0.5 }] } : body,
  );
  const spans = await new Traces(journalWith(life), false).take(read(journalWith(life), 0), 0);
  expect(spans[4]?.attributes).toMatchObject({ 'outlast.usage.tokens': 30 });
  expect(Object.keys(spans[4]?.attributes ?? {}).filter((name) => name.startsWith('gen_ai.usage'))).toEqual([]);
});

test('a turn without usage is given out after a while, once', async () => {
  const journal = journalWith(
    LIFE.slice(
      0,
      LIFE.findIndex(({ type }) => type === 'usage.counted'),
    ),
  );
  const traces = new Traces(journal, false);
  await traces.take(read(journal, 0), 100);
  expect(traces.flush(99)).toEqual([]);
  expect(traces.oldest?.sinceMs).toBe(100);
  expect(traces.flush(100).map(({ name }) => name)).toEqual(['invoke_agent fake']);
  expect([traces.flush(100), traces.oldest]).toEqual([[], null]);
});

test('a session that another one started is in the same trace, below it', async () => {
  const owner = { session: 'o' as SessionId, root: 'r' as SessionId, depth: 2, wake: true } as const;
  const spec = { ...TURNS, owner: { ...owner, onEnd: 'keep', isRemoved: false } } as const;
  const ended: EventBody = {
    type: 'session.ended',
    outcome: { kind: 'abandoned', fault: { kind: 'lost', reboot: false } },
  };
  const journal = journalWith([{ type: 'session.created', spec }, ended]);
  const [span] = await new Traces(journal, false).take(read(journal, 0), 0);
  expect(span).toMatchObject({ trace: traceId('r'), parent: spanId('session', 'o', 1), error: 'abandoned' });
});

test('a session that is resumed after its end has another span, and its runs belong to it', async () => {
  const again: EventBody[] = [
    { type: 'session.resumed', by: { is: 'person', name: 'ann' } },
    { type: 'run.starting', run: 3, how: 'resume', boot: 'b' },
    { type: 'run.ended', run: 3, exit: { status: 0 }, outputBytes: 0, complete: true },
    { type: 'session.ended', outcome: { kind: 'done', exit: null } },
  ];
  const journal = journalWith([...LIFE, ...again]);
  const spans = await new Traces(journal, false).take(read(journal, LIFE.length), 0);
  expect(spans.map(({ span, parent }) => [span, parent])).toEqual([
    [spanId('run', 's', 3), spanId('session', 's', 2)],
    [spanId('session', 's', 2), null],
  ]);
});
