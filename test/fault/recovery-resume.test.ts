import { appendFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { test as alone, expect } from 'vitest';
import { figures, some, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { type Agent, bash, mark, quantile, recoveryWorld, story, timed } from './recovery-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// The agent is killed at several moments of its turn. Its conversation continues: the same one, once.

// The agent waits here for the kill, however late it comes.
const GATE = bash('until [ -e go ]; do sleep 0.05; done');
const TOOLS = [mark('a', { delayMs: 300 }), bash('echo b >> ledger; sleep 0.3'), mark('c', { delayMs: 300 })];
const END = { text: 'all done', delayMs: 200 };

const MOMENTS = {
  'as soon as it runs': async (agent: Agent) => agent.pid(),
  'after it accepted the prompt': async (agent: Agent) => agent.untilEvent('prompt.accepted'),
  'in the middle of a tool': async (agent: Agent) =>
    eventually(() => agent.ledger().includes('b'), { msMax: 30_000, what: 'the second tool' }),
  'between two tools': async (agent: Agent) => agent.untilEvent('tool.ended', 2),
  'after its last tool': async (agent: Agent) => agent.untilEvent('tool.ended', 3),
} as const;

/**
 * Before the first tool, between tools and after the last one, the model takes this long to answer: time for the kill,
 * which must not hit a call that is recorded and has not begun. Each process waits: a pause that is counted once would
 * be met by the next process if the kill came before it had begun.
 */
const PAUSE_MS = 5_000;
const PAUSES_AT: Partial<Record<keyof typeof MOMENTS, number>> = {
  'after it accepted the prompt': 0,
  'between two tools': 2,
  'after its last tool': 3,
};

function stepsUntil(moment: keyof typeof MOMENTS): readonly object[] {
  const paused = PAUSES_AT[moment];
  if (paused === undefined) return [...TOOLS, GATE, END];
  return [...TOOLS, END].map((step, i) => (i === paused ? { ...step, delayMs: PAUSE_MS } : step));
}

const cases = (['turns', 'live'] as const).flatMap((drive) =>
  (Object.keys(MOMENTS) as (keyof typeof MOMENTS)[]).map((moment) => [drive, moment] as const),
);

test.each(some(cases, 2))(
  'T-RES-1: an agent in %s that is killed %s continues the same conversation',
  {
    timeout: 600_000,
  },
  async (drive, moment) => {
    const rounds = times(1, 5);
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await using place = await recoveryWorld();
      const steps = stepsUntil(moment);
      const agent = await place.agent({ live: drive === 'live', steps, manners: { flushMs: 0 } });
      await MOMENTS[moment](agent);
      process.kill(await agent.pid(), 'SIGKILL');
      appendFileSync(`${agent.workspace}/go`, '');
      let most = 0;
      const watched = eventually(
        async () => {
          most = Math.max(most, agent.runs().length);
          return (await agent.view()).lastTurn !== null;
        },
        { msMax: 45_000, what: 'an answer' },
      );
      const { ms } = await timed(() => watched);
      took.push(ms);
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
      expect(most).toBeLessThanOrEqual(1);
      const { run, conversation } = await agent.view();
      expect(run).toBe(2);
      const opened = (await agent.events()).filter(({ event }) => event === 'conversation.opened');
      const others = opened.filter(({ body }) => body.conversation !== conversation);
      // A conversation without a recorded message at the kill can neither be resumed nor started again.
      expect(others.filter(({ body }) => hasMessage(String(body.transcript)))).toEqual([]);
      const prompts = await agent.receivedPrompts();
      expect(prompts.filter((text) => text.startsWith('Go. SCRIPT'))).toHaveLength(1);
      // The script repeats steps that were not recorded before the kill, and no others.
      expect(agent.ledger()).toEqual(['a', 'b', 'c']);
    }
    figures('T-RES-1', {
      drive,
      moment,
      n: rounds,
      violations: 0,
      p50Ms: quantile(took, 0.5),
      maxMs: Math.max(...took),
    });
  },
);

/** True when the file has a recorded message. */
const hasMessage = (path: string): boolean => /"type":"(user|assistant)"/.test(readFileSync(path, 'utf8'));

/** Clears the conversation as a person would, gives it a prompt, and kills the agent in the middle of it. */
async function clearedAndKilled(agent: Agent) {
  await agent.reply();
  const before = (await agent.view()).conversation;
  await agent.session.write({ paste: '/clear' });
  await agent.session.write({ keys: ['Enter'] });
  const after = await eventually(async () => {
    const { conversation, phase } = await agent.view();
    return conversation !== before && phase === 'idle' && conversation;
  });
  const { prompt } = await agent.session.prompt(story(mark('x'), { delayMs: 1_000, text: 'second done' }));
  await agent.untilEvent('tool.ended');
  process.kill(await agent.pid(), 'SIGKILL');
  return { before, after, replied: await agent.session.reply({ prompt, timeoutMs: 30_000 }) };
}

test('T-RES-3: after /clear the new conversation is resumed', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ live: true, text: 'first words', manners: { flushMs: 0 } });
  const { after, replied } = await clearedAndKilled(agent);
  expect(replied).toMatchObject({ met: 'answered', reply: 'second done' });
  expect((await agent.view()).conversation).toBe(after);
  expect(agent.ledger()).toEqual(['x']);
});

test('T-RES-3: after /clear, with nothing in the new transcript yet, another new conversation is started', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ live: true, text: 'first words', manners: { flushMs: 2_000 } });
  const { before, replied } = await clearedAndKilled(agent);
  expect(replied).toMatchObject({ met: 'answered', reply: 'second done' });
  const { run, conversation } = await agent.view();
  expect(run).toBe(2);
  expect(conversation).not.toBe(before);
});

test.each([
  ['turns', false],
  ['live', true],
] as const)('T-RES-4: an agent in %s whose workspace is gone is held until it is back', async (_, live) => {
  await using place = await recoveryWorld();
  const agent = await place.agent({
    live,
    steps: [mark('x'), bash('echo y >> ledger; [ -e go ] || sleep 60'), { text: 'done' }],
  });
  await eventually(() => agent.ledger().includes('y'), { msMax: 60_000, what: 'the second tool' });
  const kept = `${agent.workspace}.kept`;
  renameSync(agent.workspace, kept);
  process.kill(await agent.pid(), 'SIGKILL');
  const { session, met } = await agent.session.wait({ for: 'held', timeoutMs: 60_000 });
  expect(met).toBe('held');
  expect(session.held).toContain(`its folder ${agent.workspace} is gone`);
  expect(session.hold).toEqual({ kind: 'workspace', helps: 'resume' });
  expect(agent.runs()).toEqual([]);
  // A resume that is too early is refused with its own code; the session is not abandoned.
  await expect(agent.session.resume({})).rejects.toMatchObject({ code: 'workspace_missing' });
  renameSync(kept, agent.workspace);
  // An agent that was killed before it recorded anything repeats every step: that must not take long.
  appendFileSync(`${agent.workspace}/go`, '');
  await agent.session.resume({});
  expect(await agent.reply()).toMatchObject({ met: 'answered' });
});

test('T-RES-4: an agent whose workspace is gone can be stopped and removed, but not resumed', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ text: 'hello' });
  await agent.reply();
  rmSync(agent.workspace, { recursive: true });
  await agent.session.prompt('again');
  await agent.untilEvent('session.held');
  await agent.session.stop({ graceMs: 0 });
  await expect(agent.session.resume({})).rejects.toMatchObject({ code: 'workspace_missing' });
  await agent.session.remove({ force: true });
  await expect(agent.view()).rejects.toMatchObject({ code: 'session_not_found' });
});

/** Makes the transcript so long that its last part does not contain the prompt. */
async function lengthen(agent: Agent): Promise<void> {
  const { transcript } = await agent.view();
  const line = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(100_000) })}\n`;
  for (let count = 0; count < 600; count += 1) appendFileSync(transcript ?? '', line);
}

const LONG = [
  ['turns', 'before the turn'],
  ['turns', 'in the turn'],
  ['live', 'in the turn'],
] as const;

test.each(some(LONG, 2))(
  'T-RES-6: an agent in %s that wrote 60 MB %s continues its conversation',
  async (drive, when) => {
    await using place = await recoveryWorld();
    const agent = await place.agent({ live: drive === 'live', text: 'first words', manners: { flushMs: 0 } });
    await agent.reply();
    const { conversation } = await agent.view();
    if (when === 'before the turn') await lengthen(agent);
    const steps = [mark('x'), bash('echo y >> ledger; sleep 60'), { text: 'second done' }];
    const { prompt } = await agent.session.prompt(story(...steps));
    await eventually(() => agent.ledger().includes('y'), { msMax: 45_000, what: 'the second tool' });
    if (when === 'in the turn') await lengthen(agent);
    process.kill(await agent.pid(), 'SIGKILL');
    const replied = await agent.session.reply({ prompt, timeoutMs: 45_000 });
    expect(replied).toMatchObject({ met: 'answered', reply: 'second done' });
    expect(agent.ledger()).toEqual(['x', 'y']);
    expect((await agent.view()).conversation).toBe(conversation);
    expect((await agent.receivedPrompts()).filter((text) => text.startsWith('Go. SCRIPT'))).toHaveLength(1);
  },
);

test('T-RST-1: an agent that exits at once is resumed as often as its policy allows, and then abandoned', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({
    steps: [{ exit: 1 }],
    policy: { resumes: { windowMax: 3 } },
  });
  const { session } = await agent.session.wait({ timeoutMs: 45_000 });
  expect(session).toMatchObject({ phase: 'ended', run: 4, outcome: { kind: 'abandoned' } });
  expect(agent.runs()).toEqual([]);
});

test('T-RST-3: resumes of ended and removed sessions count toward the limit of the host, also for the next daemon', {
  timeout: 120_000,
}, async () => {
  await using place = await recoveryWorld();
  const policy = { resumes: { windowMax: 4 }, backoff: { msMin: 0, msMax: 0 } };
  const starts = Array.from({ length: 5 }, () => place.agent({ steps: [{ exit: 1 }], policy }));
  const agents = await Promise.all(starts);
  for (const { session } of agents) {
    const { session: ended } = await session.wait({ timeoutMs: 60_000 });
    expect(ended).toMatchObject({ phase: 'ended', resumes: 4 });
    await session.remove();
  }
  await place.world.restart();
  const last = await place.agent({ steps: [{ exit: 1 }], policy });
  const held = await last.untilEvent('session.held');
  expect(held.body).toMatchObject({ why: { kind: 'host' } });
  expect((await last.view()).resumes).toBe(0);
});

test('T-RST-3: when too many sessions of a host fault at once, the rest is held for a person', {
  timeout: 120_000,
}, async () => {
  await using place = await recoveryWorld();
  const count = times(6, 40);
  const agents = await Promise.all(Array.from({ length: count }, () => place.agent({ steps: [{ exit: 1 }] })));
  const views = () => Promise.all(agents.map((agent) => agent.view()));
  await eventually(async () => (await views()).every(({ phase }) => phase === 'held' || phase === 'ended'), {
    msMax: 90_000,
    what: 'the end of all resumes',
  });
  const seen = await views();
  const resumes = seen.reduce((sum, view) => sum + view.resumes, 0);
  expect(resumes).toBeLessThanOrEqual(20);
  expect(seen.some(({ hold }) => hold?.kind === 'host')).toBe(true);
  figures('T-RST-3', { agents: count, resumes });
});
