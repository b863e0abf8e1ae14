import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { PromptId, Session } from '../../src/core/session.ts';
import { TranscriptReader } from '../../src/supervisor/transcript-reader.ts';
import { LIVE, prompted, READY, sessionAfter } from '../../src/testing/sessions.ts';

/** Claude Code, and a count of what its readers were given. */
function countedAgent() {
  const counts = { chars: 0, texts: 0, largest: 0 };
  const { record } = claude;
  const counted: Agent = {
    ...claude,
    record: {
      ...record,
      read: (known, lines) => {
        counts.chars += lines.length;
        counts.largest = Math.max(counts.largest, lines.length);
        return record.read(known, lines);
      },
      keysOf: (text) => {
        counts.texts += 1;
        return record.keysOf(text);
      },
    },
  };
  return { agent: counted, counts };
}

const at = (i: number): string => new Date(2_000 + i).toISOString();
const line = (fields: object): string => `${JSON.stringify(fields)}\n`;
const asked = (i: number, text = `Do ${i}`): string =>
  line({ type: 'user', timestamp: at(i), promptId: `mark of ${i}`, message: { role: 'user', content: text } });
const replied = (i: number): string =>
  line({
    type: 'assistant',
    timestamp: at(i),
    message: {
      id: `m${i}`,
      model: 'claude',
      content: [{ type: 'text', text: `Did ${i}` }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10 },
    },
  });

function place(turns: number, bulk = '') {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-eyes-'));
  const path = join(folder, 'c1.jsonl');
  const past = Array.from({ length: turns }, (_, i) => asked(i) + replied(i) + bulk);
  writeFileSync(path, past.join(''));
  const opened = READY.map((body) => (body.type === 'conversation.opened' ? { ...body, transcript: path } : body));
  const session = (...bodies: readonly EventBody[]): Session => sessionAfter(LIVE, ...opened, ...bodies);
  return {
    ...{ path, session, transcriptReader: new TranscriptReader(folder) },
    ...countedAgent(),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const NOW = { exit: null, nowMs: 0 };
const answered = (i: number): EventBody => ({
  type: 'prompt.answered',
  prompt: String(i) as PromptId,
  reply: `Did ${i}`,
});

/** The cost of one prompt after this many turns: what is read and compared from its sending to its usage count. */
async function costOf(turns: number): Promise<{ chars: number; texts: number }> {
  using here = place(turns);
  const { transcriptReader, agent, counts, path, session } = here;
  const sent = session(...prompted(String(turns), 'accepted'));
  await transcriptReader.transcript(sent, agent, NOW);
  const before = { ...counts };
  appendFileSync(path, asked(turns));
  for (let look = 0; look < 5; look += 1) await transcriptReader.transcript(sent, agent, NOW);
  appendFileSync(path, replied(turns));
  expect(await transcriptReader.transcript(sent, agent, NOW)).toMatchObject({ turn: 'closed', reply: `Did ${turns}` });
  const done = session(...prompted(String(turns), 'accepted'), answered(turns));
  expect(
    await transcriptReader.used(
      { ...done, accounting: { ...done.accounting, countedUpTo: { message: `m${turns - 1}`, atMs: 0 } } },
      agent,
      0,
    ),
  ).toMatchObject({
    tokens: 10,
    upTo: `m${turns}`,
  });
  return { chars: counts.chars - before.chars, texts: counts.texts - before.texts };
}

test('T-LONG-5: a prompt costs the same in the tenth turn and in the three thousandth', async () => {
  const [few, many] = [await costOf(1_000), await costOf(3_000)];
  expect(many).toEqual(few);
  expect(few.chars).toBe(asked(1_000).length + replied(1_000).length);
  // The numbers in the texts have fewer digits there.
  expect((await costOf(10)).texts).toBe(few.texts);
});

test('T-LONG-5: a long transcript is read in pieces', async () => {
  using here = place(40, line({ type: 'mode', bulk: 'x'.repeat(100_000) }));
  const sent = here.session(...prompted('39', 'accepted'));
  expect(await here.transcriptReader.transcript(sent, here.agent, NOW)).toMatchObject({
    turn: 'closed',
    reply: 'Did 39',
  });
  expect(here.counts.chars).toBeGreaterThan(4_000_000);
  expect(here.counts.largest).toBeLessThan(256 * 1024 + 100_100);
});

test('T-LONG-5: a rewritten transcript is read from its beginning', async () => {
  using here = place(3);
  const sent = here.session(...prompted('2', 'accepted'));
  expect(await here.transcriptReader.transcript(sent, here.agent, NOW)).toMatchObject({
    turn: 'closed',
    reply: 'Did 2',
  });
  // The file is restored to its state before the answer.
  writeFileSync(here.path, asked(0) + replied(0) + asked(2));
  expect(await here.transcriptReader.transcript(sent, here.agent, NOW)).toMatchObject({ turn: 'open', reply: '' });
  writeFileSync(here.path, asked(7) + replied(7));
  expect(await here.transcriptReader.transcript(sent, here.agent, NOW)).toMatchObject({
    turn: 'open',
    reply: '',
    exists: true,
  });
});

test('T-LONG-5: what was written before the end that is read first is found when it decides', async () => {
  const bulk = line({ type: 'mode', bulk: 'x'.repeat(1024 * 1024) });
  using here = place(1);
  const sent = here.session(...prompted('0', 'sending'));
  for (let i = 0; i < 10; i += 1) appendFileSync(here.path, bulk);
  const snapshot = await here.transcriptReader.transcript(sent, here.agent, NOW);
  expect(snapshot).toMatchObject({ turn: 'closed', reply: 'Did 0' });
  expect(snapshot.received.length).toBe(1);
});

test('the record of an agent is settled by its own adapter only, also when it took over from another', async () => {
  using here = place(2);
  const sent = here.session(...prompted('1', 'accepted'));
  await here.transcriptReader.transcript(sent, here.agent, NOW);
  const settled: unknown[] = [];
  const { record } = claude;
  const settle: typeof record.settle = (known, counted) => {
    settled.push(record.view(known).prompts.length);
    return record.settle(known, counted);
  };
  const successor: Agent = { ...claude, record: { ...record, settle } };
  const path = `${here.path}.other`;
  writeFileSync(path, asked(1) + replied(1));
  const done = here.session(...prompted('1', 'accepted'), answered(1));
  const taken = { ...done, conversation: { ...done.conversation, transcript: path } };
  expect(await here.transcriptReader.used(taken, successor, 0)).toMatchObject({ upTo: 'm1' });
  expect(settled).toEqual([0]);
});

test('an update that a hook delivered is found by its id, also when its turn has written a lot since', async () => {
  using here = place(1);
  const told = line({
    type: 'attachment',
    attachment: { type: 'hook_additional_context', hookEvent: 'PostToolUse', content: ['news (s1.9)'] },
  });
  appendFileSync(here.path, told);
  for (let i = 0; i < 10; i += 1) appendFileSync(here.path, line({ type: 'mode', bulk: 'x'.repeat(1024 * 1024) }));
  const session = here.session();
  expect(await here.transcriptReader.isDelivered(session, here.agent, 's1.9', false)).toBe(false);
  expect(await here.transcriptReader.isDelivered(session, here.agent, 's1.9', true)).toBe(true);
  expect(await here.transcriptReader.isDelivered(session, here.agent, 's1.8', true)).toBe(false);
});
