import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figures, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { type Agent, bash, mark, type RecoveryWorld, recoveryWorld } from './recovery-world.ts';

// A conversation has one process at a time, and each process either starts the conversation or resumes it.

const POLICY = { backoff: { msMin: 0, msMax: 0 } };
// Each run waits here for the kill, however late it comes: the step that was running is not repeated.
const GATE = bash('until [ -e go ]; do sleep 0.05; done');
const STEPS = [
  mark('a', { delayMs: 200 }),
  bash('echo b >> ledger; sleep 0.3'),
  mark('c', { delayMs: 200 }),
  GATE,
  GATE,
  { text: 'all done', delayMs: 200 },
];

type Moment = (agent: Agent, run: number) => Promise<unknown>;

const seen =
  (word: string): Moment =>
  (agent) =>
    eventually(() => agent.ledger().includes(word), { msMax: 45_000 });

const opened: Moment = (agent, run) =>
  eventually(
    async () => (await agent.events()).some(({ event, body }) => event === 'conversation.opened' && body.run === run),
    { msMax: 45_000, what: `the conversation of run ${run}` },
  );

/** The two moments at which one agent is killed. */
const KILLS: readonly (readonly [Moment, Moment])[] = [
  [async () => {}, async () => {}],
  [async () => {}, opened],
  [opened, async () => {}],
  [(agent) => agent.untilEvent('prompt.accepted'), (agent) => agent.untilEvent('prompt.accepted', 2)],
  [seen('b'), async () => {}],
  [(agent) => agent.untilEvent('tool.ended', 2), seen('c')],
];

/** Waits for the process of a run and for the moment, then kills the process. */
async function killRun(agent: Agent, run: number, moment: Moment): Promise<void> {
  const pid = await eventually(
    async () => {
      const view = await agent.view();
      return view.run === run && view.pid;
    },
    { msMax: 45_000, what: `run ${run}` },
  );
  await moment(agent, run);
  process.kill(pid, 'SIGKILL');
}

interface StartedRun {
  readonly starts: readonly string[];
  readonly resumes: readonly string[];
  readonly printed: string;
}

/** How each run was started, and what it printed. */
function startedRuns({ world }: RecoveryWorld, agent: Agent): StartedRun[] {
  const folder = join(world.state, 'sessions', agent.session.id, 'runs');
  return readdirSync(folder).map((run) => {
    const read = (name: string): string => quietly(() => readFileSync(join(folder, run, name), 'utf8'));
    const flag = (name: string): string[] =>
      [...read('plan').matchAll(new RegExp(`'--${name}' '([^']+)'`, 'g'))].map(([, id]) => id ?? '');
    return { starts: flag('session-id'), resumes: flag('resume'), printed: read('output') + read('stderr') };
  });
}

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

test('T-RES-2: after a kill at any moment, each run starts a conversation or resumes one, and is never refused', {
  timeout: 1_200_000,
}, async () => {
  const [rounds, count] = [times(1, 6), { agents: 0, runs: 0, kills: 0 }];
  for (let round = 0; round < rounds; round += 1) {
    await using place = await recoveryWorld();
    const manners = { flushMs: (round % 3) * 150 };
    const drives = KILLS.map((_, i) => (i + round) % 2 === 0);
    const agents = await Promise.all(
      drives.map((live) => place.agent({ live, steps: STEPS, policy: POLICY, manners })),
    );
    await Promise.all(
      agents.map(async (agent, i) => {
        for (const [before, moment] of (KILLS[i] ?? []).entries()) await killRun(agent, before + 1, moment);
        writeFileSync(join(agent.workspace, 'go'), '');
      }),
    );
    for (const agent of agents) {
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
      const runs = startedRuns(place, agent);
      for (const { starts, resumes, printed } of runs) {
        expect([...starts, ...resumes]).toHaveLength(1);
        expect(printed).not.toMatch(/already in use|No conversation found|can only be used with/);
      }
      count.runs += runs.length;
    }
    count.agents += agents.length;
    count.kills += KILLS.flat().length;
  }
  figures('T-RES-2', { ...count, refused: 0 });
});

/** Leaves a process behind that ignores TERM, HUP and INT, and keeps writing. */
const TWIN = "setsid sh -c 'trap : TERM HUP INT; while :; do echo old >> ledger; sleep 0.02; done' > /dev/null 2>&1";

test('T-RES-5: stray processes of the old run are gone before the new run does anything, whatever caused the resume', {
  timeout: 1_200_000,
}, async () => {
  const rounds = times(2, 20);
  let most = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using place = await recoveryWorld();
    const steps = [bash(`${TWIN} & sleep 2`), bash('echo new >> ledger; sleep 0.3'), { text: 'all done' }];
    const live = round % 2 === 1;
    const agent = await place.agent({ live, steps, policy: POLICY, manners: { flushMs: 0 } });
    await seen('old')(agent, 1);
    process.kill(await agent.pid(), 'SIGKILL');
    // Impatient callers, and in every other round a daemon that dies in the middle.
    const asked = Promise.allSettled(Array.from({ length: 5 }, () => agent.session.resume()));
    if (round % 4 > 1) await place.world.restart();
    await asked;
    await eventually(
      async () => {
        most = Math.max(most, agent.runs().length);
        return (await agent.view()).lastTurn !== null;
      },
      { msMax: 60_000, what: 'an answer' },
    );
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'all done' });
    const ledger = agent.ledger();
    expect(ledger.slice(ledger.indexOf('new'))).toEqual(['new']);
    expect(await agent.view()).toMatchObject({ run: 2, resumes: 1 });
  }
  expect(most).toBe(1);
  figures('T-RES-5', { n: rounds, twins: 0 });
});
