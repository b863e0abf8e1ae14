import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { byPolicy, person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { ConversationId, Fault, PromptId } from '../../src/core/session.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { type JournalSession, JournalWorld } from './journal-world.ts';
import { reportOf } from './report-world.ts';

const a = 'a' as PromptId;
const call = (id: string, tool: string, input = '{}'): EventBody => ({
  type: 'tool.called',
  run: 1,
  call: id,
  tool,
  input,
  subagent: null,
});
/** After a pause of two seconds on the steady clock. */
const broken = (world: JournalWorld, run: number, fault: Fault): EventBody => ({
  type: 'run.faulted',
  run,
  fault,
  retryAtMs: world.clock.steadyMs() + 2_000,
});
const resumed = (run: number): EventBody[] => [
  { type: 'run.starting', run, how: 'resume', boot: 'b' },
  { type: 'run.opened', run, pid: 40 + run },
];

test('the report of a failed command has one sentence, its run and its last lines', async () => {
  using world = new JournalWorld();
  const session = world.make({ name: 'build' }).open(1).print(1, 'one\n\u001b[31mtwo\u001b[0m\n').close(1, 7).end(7);
  const report = await reportOf(world, session);
  expect(report.head).toEqual([expect.stringMatching(/^Ended after .*s: exit 7$/)]);
  expect(report.runs).toMatchObject([{ run: 1, how: 'launch', pid: 41, end: 'exit 7', signs: [], remedy: null }]);
  expect(report.output).toEqual(['one', 'two']);
  expect([report.lastTurn, report.tools]).toEqual([null, {}]);
  expect(report.timeline.map(({ text }) => text)).toEqual([
    'requested: npm test',
    'run 1 starts (launch)',
    'run 1 is process 41',
    'run 1 ended: exit 7',
    'ended: exit 7',
  ]);
  expect(report.markdown).toMatch(/^# Report: build\n\n- `Ended after .*`\n/);
  expect(report.markdown).toContain('## Last output\n\n```text\none\ntwo\n```\n');
  expect(report.markdown).not.toMatch(/## (Tool calls|Usage|Last turn)/);
});

test('the report of a lost or stopped command says why it ended, and what was done', async () => {
  using world = new JournalWorld();
  const outcome = { kind: 'abandoned', fault: { kind: 'lost', reboot: true } } as const;
  const gone: EventBody = { type: 'run.ended', run: 1, exit: null, outputBytes: 0, complete: false };
  const lost = world.make().open(1).put({ type: 'session.closing', outcome }, gone, { type: 'session.ended', outcome });
  expect((await reportOf(world, lost)).runs).toMatchObject([
    { end: expect.stringMatching(/^lost in a restart/), endedAtMs: expect.any(Number), remedy: 'abandoned' },
  ]);
  const stop = { kind: 'stopped', by: person('ann') } as const;
  const stopped = world.make().open(1).put({ type: 'session.closing', outcome: stop }).close(1, 143);
  stopped.put({ type: 'session.ended', outcome: stop });
  const report = await reportOf(world, stopped);
  expect(report.runs[0]?.end).toBe('signal 15 TERM (or exit 143), ended by Outlast');
  expect(report.head[0]).toMatch(/^Ended after .*: stopped by ann$/);
});

test('the report of an agent has every verdict with its signs, what was done, and the replies', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns', name: 'api' }).queue('a', 'fix the tests').open(1, 'a').accept('a');
  session.put(call('1', 'Bash', '{"command":"npm test"}'), call('2', 'Read'));
  session.put({ type: 'tool.ended', run: 1, call: '2', tool: 'Read', error: null, tookMs: 3 });
  session.put(broken(world, 1, { kind: 'exited', exit: { status: 137 } }));
  session.put({ type: 'prompt.sending', prompt: a, turn: 2, run: 2 }, ...resumed(2)).accept('a');
  session.put({ type: 'turn.interrupting', run: 2, by: byPolicy('hang') });
  session.put(
    broken(world, 2, { kind: 'stalled', silentMs: 900_000, signs: ['last hook 900 s ago', 'no tool at work'] }),
  );
  session.put(...resumed(3)).accept('a');
  session.put({ type: 'prompt.troubled', prompt: a, trouble: { kind: 'limited', untilMs: 86_400_000 }, text: 'limit' });
  session.put(
    { type: 'session.limited', run: 3, untilMs: 86_400_000, text: 'limit' },
    { type: 'session.unlimited', run: 3 },
  );
  session.put(
    { type: 'control.taken', by: person('ann'), how: 'handoff' },
    { type: 'control.returned', by: person('ann') },
  );
  session.put(call('3', 'Bash')).answer('a', 'all green');
  session.put({ type: 'usage.counted', prompt: a, usage: { turns: 1, tokens: 900, usd: 0.5 } });
  const report = await reportOf(world, session);
  expect(report.runs).toMatchObject([
    {
      run: 1,
      end: 'signal 9 KILL (or exit 137)',
      signs: ['running when it broke: Bash {"command":"npm test"}'],
      remedy: 'resumed as run 2',
    },
    { run: 2, how: 'resume', signs: ['last hook 900 s ago', 'no tool at work'], remedy: 'resumed as run 3' },
    { run: 3, pid: 43, end: null, remedy: null },
  ]);
  for (const { backoffMs } of report.runs.slice(0, 2)) expect(backoffMs).toBeGreaterThan(1_000);
  expect(report.timeline.map(({ text }) => text)).toEqual([
    'requested: scripted',
    'prompt a: "fix the tests"',
    'run 1 starts (launch)',
    'run 1 is process 41',
    '2 tool calls: Bash 1, Read 1',
    'run 1 broke: signal 9 KILL (or exit 137); next try after 2.0s',
    'prompt a is continued, try 2',
    'run 2 starts (resume)',
    'run 2 is process 42',
    'turn interrupted by a hang',
    expect.stringMatching(/^run 2 broke: no progress for 15m; seen: last hook 900 s ago, no tool at work; /),
    'run 3 starts (resume)',
    'run 3 is process 43',
    'prompt a: its turn failed (limited): limit',
    'usage limit until 1970-01-02T00:00:00Z: limit',
    'the usage limit is over',
    'ann takes control (handoff)',
    'ann gives control back',
    '1 tool call: Bash 1',
    'prompt a answered: all green',
  ]);
  expect(report.tools).toEqual({ Bash: 2, Read: 1 });
  expect(report.head[1]).toBe('3 runs, 2 resumes after faults; 1 turn, 900 tokens, $0.50.');
  expect(report.markdown).toContain('  seen: no tool at work\n  pause: 2.0s\n  remedy: resumed as run 3\n');
});

test.each<[string, EventBody]>([
  [
    'a person was asked: too many',
    { type: 'session.held', run: 1, why: { kind: 'host', text: 'too many', needsResume: true } },
  ],
  ['its turn was complete: the reply was used', { type: 'prompt.answered', prompt: a, reply: 'x' }],
  ['none: stopped by ann', { type: 'session.closing', outcome: { kind: 'stopped', by: person('ann') } }],
  [
    'abandoned: it was resumed 10 times',
    {
      type: 'session.closing',
      outcome: { kind: 'abandoned', fault: { kind: 'cut' }, why: 'it was resumed 10 times' },
    },
  ],
])('a run that broke has the remedy: %s', async (remedy, body) => {
  using world = new JournalWorld();
  const session = world
    .make({ drive: 'turns' })
    .queue('a')
    .open(1, 'a')
    .accept('a')
    .put(broken(world, 1, { kind: 'cut' }), body);
  expect((await reportOf(world, session)).runs[0]).toMatchObject({ end: 'its terminal is gone', remedy });
});

test('a held session, and what the person did, are both reported; what comes after the remedy is not', async () => {
  using world = new JournalWorld();
  const session = world
    .make({ drive: 'turns' })
    .queue('a')
    .open(1, 'a')
    .accept('a')
    .put(broken(world, 1, { kind: 'cut' }));
  session.put({ type: 'session.held', run: 1, why: { kind: 'host', text: 'look', needsResume: true } });
  session.put({ type: 'session.released', run: 1, by: person('ann') }, ...resumed(2)).accept('a');
  session
    .put(broken(world, 2, { kind: 'cut' }))
    .answer('a')
    .queue('b')
    .put(...resumed(3));
  expect((await reportOf(world, session)).runs.map(({ remedy }) => remedy)).toEqual([
    'a person was asked: look; then resumed as run 2',
    'its turn was complete: the reply was used',
    null,
  ]);
});

test('only tools that were running when a run broke are named, a few of them', async () => {
  using world = new JournalWorld();
  const session = world
    .make({ drive: 'turns' })
    .queue('a')
    .open(1, 'a')
    .accept('a')
    .put(call('old', 'Old'))
    .answer('a');
  session.queue('b').put(...[1, 2, 3, 4, 5].map((i) => call(`${i}`, `tool-${i}`)));
  session.put(broken(world, 1, { kind: 'cut' }));
  expect((await reportOf(world, session)).runs[0]?.signs).toEqual([
    'running when it broke: tool-1 {}',
    'running when it broke: tool-2 {}',
    'running when it broke: tool-3 {}',
    'and 2 more',
  ]);
});

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'c2VjcmV0\n'.repeat(40)}-----END RSA PRIVATE KEY-----\n`;

test('no part of a report reveals a secret, for people or programs', async () => {
  using world = new JournalWorld();
  const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const command = world
    .make({ argv: ['curl', '--token', 'hunter2'] })
    .open(1)
    .print(1, `${KEY}PASSWORD=hunter2\n`);
  const agent = world.make({ drive: 'turns' }).queue('a', `use ${token}`).open(1, 'a').accept('a');
  agent.put(call('1', 'Bash', '{"password":"hunter2"}'), broken(world, 1, { kind: 'cut' }));
  agent.put({ type: 'session.held', run: 1, why: { kind: 'login', text: `https://ada:hunter2@example.org ${token}` } });
  const split = world.make({ split: true }).open(1).print(1, KEY);
  writeFileSync(runFolder(world.state, { session: split.id, run: 1 }).stderr, `${KEY}API_KEY=hunter2\n`);
  for (const session of [command, agent, split]) {
    const text = JSON.stringify(await reportOf(world, session));
    expect(text).toContain('***');
    expect(text).not.toMatch(/hunter2|ghp_|c2VjcmV0/);
  }
});

test('what a command printed cannot become a part of the page', async () => {
  using world = new JournalWorld();
  const session = world
    .make()
    .open(1)
    .print(1, '```\n![x](http://example.org/x)\n````\n# Report: fake\n')
    .close(1, 1)
    .end(1);
  const { markdown } = await reportOf(world, session);
  expect(markdown).toContain('`````text\n```\n![x](http://example.org/x)\n````\n# Report: fake\n`````\n');
});

test('a long life fits on one page, with its beginning and its end', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' });
  const long = 'word '.repeat(4_000);
  for (let run = 1; run <= 300; run += 1) {
    session.queue(`p${run}`, long).open(run, `p${run}`).accept(`p${run}`);
    session.put(...Array.from({ length: 40 }, (_, i) => call(`${run}-${i}`, `tool-${i}`, long.slice(0, 500))));
    session.put(broken(world, run, { kind: 'stalled', silentMs: 1, signs: [long, long] }));
  }
  session.print(300, `${'x'.repeat(5_000)}\n`.repeat(300));
  const report = await reportOf(world, session);
  expect(report.markdown.length).toBeLessThan(96 * 1024);
  expect(report.runs.map(({ run }) => run)).toEqual([1, 2, 3, ...Array.from({ length: 17 }, (_, i) => 284 + i)]);
  expect(report.markdown).toContain('280 of 300 runs are left out here');
  expect(report.timeline[0]?.text).toBe('requested: scripted');
  expect(report.timeline.at(-1)?.text).toMatch(/^run 300 broke/);
  expect(report.timeline.some(({ atMs, text }) => atMs === null && /lines left out/.test(text))).toBe(true);
  expect(Object.keys(report.tools)).toHaveLength(31);
  expect(Object.values(report.tools).reduce((sum, times) => sum + times, 0)).toBe(300 * 40);
});

test('the last output of a live agent is its screen; without one the rest is still reported', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'live', terminal: 'pty' }).open(1).print(1, '\u001b[2Jpaint');
  expect((await reportOf(world, session, ['', '> hello', '  world', ''])).output).toEqual(['> hello', '  world']);
  const without = await reportOf(world, session, null);
  expect([without.output, without.head[0]]).toEqual([[], expect.stringMatching(/^About to start/)]);
});

test('the last output of an agent in turns is what is not part of its protocol', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
  session.print(1, '{"type":"system"}\nError: out of memory\n{"type":"resu');
  expect((await reportOf(world, session)).output).toEqual(['Error: out of memory']);
});

test('the last turn of an agent is shown, shortened, as a quotation', async () => {
  using world = new JournalWorld();
  const session: JournalSession = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
  const path = runFolder(world.state, { session: session.id, run: 1 }).output;
  const line = (type: string, content: unknown): string =>
    `${JSON.stringify({ type, uuid: type, timestamp: '2026-01-01T00:00:00Z', message: { role: type, content } })}\n`;
  writeFileSync(
    path,
    line('user', 'do a') + line('assistant', [{ type: 'text', text: `Done. ${'more '.repeat(2_000)}` }]),
  );
  const conversation = 'c-1' as ConversationId;
  session.put({ type: 'conversation.opened', run: 1, conversation, transcript: path, source: 'startup' });
  const { lastTurn, markdown } = await reportOf(world, session);
  expect(lastTurn).toContain('Done. more');
  expect(lastTurn?.length).toBeLessThanOrEqual(4_000);
  expect(markdown).toMatch(/## Last turn\n\n> /);
});
