import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { MetricFamily } from '../../api/contract-metrics.ts';
import { type Clock, realClock } from '../../base/clock.ts';
import type { EventBody } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { asked, decided, prompted, READY, TURNS } from '../../testing/sessions.ts';
import { SERIES_MAX } from './counters.ts';
import { Tally } from './tally.ts';

const SECRET = 'hidden-word';
/** A whole life: a prompt is answered after a fault, a call is asked about, and usage is counted. */
const STORY: readonly EventBody[] = [
  { type: 'session.created', spec: { ...TURNS, name: SECRET, workspace: `/${SECRET}` } },
  ...prompted('p', 'sending').map((body) => ({ ...body, text: SECRET }) as EventBody),
  ...READY,
  { type: 'prompt.accepted', prompt: 'p' as never, turnId: SECRET },
  { type: 'tool.called', run: 1, call: 'c', tool: SECRET, input: SECRET, subagent: null },
  asked('q', { input: SECRET }),
  decided('q', true),
  { type: 'tool.ended', run: 1, call: 'c', tool: SECRET, error: SECRET, tookMs: 1 },
  { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 },
  { type: 'run.ended', run: 1, exit: null, outputBytes: 0, complete: true },
  { type: 'prompt.sending', prompt: 'p' as never, turn: 2, run: 2 },
  { type: 'run.starting', run: 2, how: 'resume', boot: 'b' },
  { type: 'prompt.answered', prompt: 'p' as never, reply: SECRET },
  {
    type: 'usage.counted',
    prompt: 'p' as never,
    usage: { turns: 1, tokens: 30, usd: 0.5 },
    by: [{ model: 'model-1', tokens: 30, usd: 0.5 }],
  },
  { type: 'run.ended', run: 2, exit: { status: 0 }, outputBytes: 0, complete: true },
  { type: 'session.ended', outcome: { kind: 'done', exit: null } },
];

const EXPECTED = {
  sessions_started: 1,
  sessions_ended: 1,
  runs_started: 2,
  runs_ended: 2,
  run_faults: 1,
  resumes: 1,
  prompts_queued: 1,
  prompts_accepted: 1,
  prompts_ended: 1,
  tool_calls: 1,
  tool_results: 1,
  approvals_asked: 1,
  approvals_decided: 1,
  usage_turns: 1,
  usage_tokens: 30,
  usage_cost_usd: 0.5,
};

/** Puts events, ten seconds apart, into the journal. */
function put(journal: Journal, events: readonly EventBody[], id = 's', from = 0): void {
  for (const [i, body] of events.entries()) {
    const atMs = 1_000_000 + (from + i) * 10_000;
    const write = { session: id as SessionId, afterSeq: from + i, cause: null, atMs, steadyMs: atMs };
    journal.append({ ...write, events: [body] });
  }
}

function tallyOf(journal: Journal, clock: Clock = realClock()): Tally {
  return new Tally({ journal, clock, log: (line) => expect.fail(line) });
}

function sums(families: readonly MetricFamily[]): Record<string, number> {
  const counters = families.filter(({ type }) => type === 'counter');
  const all = counters.map(({ name, series }) => [
    name.replace('outlast_', ''),
    series.reduce((sum, { value = 0 }) => sum + value, 0),
  ]);
  return Object.fromEntries(all.filter(([, sum]) => sum !== 0));
}

const histogram = (families: readonly MetricFamily[], name: string) =>
  families.find((each) => each.name === `outlast_${name}`)?.series[0]?.histogram;

test('counts what happens to a session, with its agent as a label', async () => {
  const journal = memoryJournal();
  const tally = tallyOf(journal);
  put(journal, STORY);
  const families = await tally.families();
  expect(sums(families)).toEqual(EXPECTED);
  expect(families.find(({ name }) => name === 'outlast_resumes')?.series).toEqual([
    { labels: { agent: 'fake', fault: 'lost' }, value: 1 },
  ]);
  expect(families.find(({ name }) => name === 'outlast_approvals_decided')?.series).toEqual([
    { labels: { agent: 'fake', decision: 'allow', by: 'person' }, value: 1 },
  ]);
  // Confirmed five events after it was sent, and answered eight after that.
  expect(histogram(families, 'prompt_queue_seconds')).toMatchObject({ sum: 10, count: 1 });
  expect(histogram(families, 'prompt_accept_seconds')).toMatchObject({ sum: 50, count: 1 });
  expect(histogram(families, 'turn_seconds')?.sum).toBe(90);
  expect(histogram(families, 'approval_wait_seconds')?.buckets).toContainEqual({ le: 15, count: 1 });
  expect(JSON.stringify(families)).not.toContain(SECRET);
  await tally.stop();
});

test('counts each event once, wherever the daemon is killed or stopped', async () => {
  for (let at = 0; at <= STORY.length; at += 1) {
    for (const isKilled of [true, false]) {
      const journal = memoryJournal();
      const first = tallyOf(journal);
      put(journal, STORY.slice(0, at));
      await first.families();
      const fact = journal.fact('metrics') ?? '';
      await first.stop();
      if (isKilled) {
        journal.saveFact('metrics', fact);
      }
      put(journal, STORY.slice(at), 's', at);
      // The follower may have saved its position later than the counts were stored.
      journal.saveCursor('metrics', journal.head() - 1);
      const second = tallyOf(journal);
      expect(second.createdMs).toBe(first.createdMs);
      expect(sums(await second.families()), `cut at ${at}`).toEqual(EXPECTED);
      expect(histogram(await second.families(), 'turn_seconds')?.sum, `cut at ${at}`).toBe(90);
      await second.stop();
    }
  }
});

test('a session that is resumed after its end counts only what is new', async () => {
  const journal = memoryJournal();
  const first = tallyOf(journal);
  put(journal, STORY);
  await first.families();
  await first.stop();
  const usage = { turns: 2, tokens: 50, usd: 0.75 };
  const more: EventBody[] = [
    { type: 'session.resumed', by: { is: 'person', name: 'ann' } },
    { type: 'usage.counted', prompt: 'p2' as never, usage },
  ];
  put(journal, more, 's', STORY.length);
  const second = tallyOf(journal);
  expect(sums(await second.families())).toMatchObject({ usage_turns: 2, usage_tokens: 50, usage_cost_usd: 0.75 });
  await second.stop();
});

test('tokens are counted by kind, and those that are not told apart as unknown', async () => {
  const journal = memoryJournal();
  const tally = tallyOf(journal);
  const byKind = { input: 3, output: 5, cacheRead: 20, cacheWrite: 0 };
  const by = [{ model: 'model-1', tokens: 28, usd: null, byKind }];
  put(journal, [...STORY, { type: 'usage.counted', prompt: null, usage: { turns: 1, tokens: 58, usd: 0.5 }, by }]);
  const families = await tally.families();
  const tokens = families.find(({ name }) => name === 'outlast_usage_tokens')?.series ?? [];
  expect(Object.fromEntries(tokens.map(({ labels, value }) => [labels.kind, value]))).toEqual({
    unknown: 30,
    input: 3,
    output: 5,
    cache_read: 20,
  });
  await tally.stop();
});

test('what was in the journal before the first count is not counted, but known', async () => {
  const journal = memoryJournal();
  put(journal, STORY.slice(0, 4));
  const tally = tallyOf(journal);
  expect(sums(await tally.families())).toEqual({});
  put(journal, STORY.slice(4), 's', 4);
  const families = await tally.families();
  expect(sums(families)).toMatchObject({ prompts_accepted: 1, sessions_ended: 1 });
  expect(JSON.stringify(families)).not.toContain('"agent":"unknown"');
  await tally.stop();
});

test('a new daemon need not read the sessions again that it knows from the last one', async () => {
  const journal = memoryJournal();
  const first = tallyOf(journal);
  put(journal, STORY.slice(0, 8));
  await first.stop();
  put(journal, STORY.slice(8, 10), 's', 8);
  const second = tallyOf(Object.assign(journal, { session: () => expect.fail('it reads a session again') }));
  expect(sums(await second.families())).toMatchObject({ prompts_queued: 1, tool_calls: 1 });
  await second.stop();
});

test('what a reader of the counts has counted, the follower does not count again', async () => {
  const journal = memoryJournal();
  const tally = tallyOf(journal, { ...realClock(), sleep: () => new Promise((resolve) => setImmediate(resolve)) });
  const calls: EventBody[] = Array.from(
    { length: 600 },
    () => STORY.find(({ type }) => type === 'tool.called') as never,
  );
  put(journal, [...STORY.slice(0, 1), ...calls]);
  expect(sums(await tally.families()).tool_calls).toBe(600);
  await eventually(() => journal.cursor('metrics') >= 500, { what: 'the follower' });
  expect(sums(await tally.families()).tool_calls).toBe(600);
  await tally.stop();
});

test('another journal begins again', async () => {
  const [journal, other] = [memoryJournal(), memoryJournal()];
  const tally = tallyOf(journal);
  put(journal, STORY);
  await tally.stop();
  put(other, STORY);
  other.saveFact('metrics', journal.fact('metrics') ?? '');
  const again = tallyOf(other);
  expect(sums(await again.families())).toEqual({});
  await again.stop();
});

test('names that agents invent cannot make more than a number of series', async () => {
  const journal = memoryJournal();
  const tally = tallyOf(journal);
  put(journal, STORY.slice(0, 1));
  const invented = Array.from({ length: SERIES_MAX * 3 }, (_, i) => `${i}`.padStart(i % 2 === 0 ? 10 : 100, 'x'));
  const counts = invented.map((model, i): EventBody => {
    const by = [{ model, tokens: 1, usd: null }];
    return { type: 'usage.counted', prompt: null, usage: { turns: i, tokens: i, usd: null }, by };
  });
  put(journal, counts, 's', 1);
  const families = await tally.families();
  const tokens = families.find(({ name }) => name === 'outlast_usage_tokens')?.series ?? [];
  expect(tokens.length).toBeLessThanOrEqual(SERIES_MAX + 1);
  expect(sums(families).usage_tokens).toBe(invented.length);
  expect(tokens.every(({ labels }) => (labels.model?.length ?? 0) <= 64)).toBe(true);
  await tally.stop();
});
