import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Says } from '../../src/agent/seam/gate-openers.ts';
import type { Session } from '../../src/client/index.ts';
import { times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { wordsWithoutRow } from './gate-rows.ts';
import { append, commandFor, type Drive, type GatedStage, openGated } from './gated.ts';
import { needing, type Stage, type Stories } from './stage.ts';

// Many calls behind the gate of each agent, in every way in which a call can be decided or not: no call runs without a
// row that allows it. In a deep run they are more than 200 for each agent.

/** How many calls a deep run makes of each kind, and how many every other run. */
const CALLS = {
  ruled: times(20, 160),
  decided: times(4, 24),
  unanswered: times(2, 8),
  'daemon killed': times(2, 10),
  'agent killed': times(2, 8),
  'garbage answered': times(2, 8),
  'answered by others': times(1, 3),
} as const;

const PER_TURN = 20;
const DENIES_MS = 3_500;
/** After this time an agent has ignored an answer. */
const IGNORED_MS = 2_000;

const OTHERS = ['gate in messages', 'server', 'other clients', 'gate openers'] as const;

const rule = (word: string): string => `Bash(${commandFor(word)})`;

/** The drive in which an agent asks about every call. */
function driveOf(stage: Stage): Drive {
  return stage.has('gate by hooks') && stage.has('gate without a screen') ? 'turns' : 'live';
}

function wordsOf(kind: keyof typeof CALLS): readonly string[] {
  return Array.from({ length: CALLS[kind] }, (_, i) => `call-${i}-end`);
}

/** No call has run except these, each once and with a row that allows it. Counts the calls that were tried. */
async function expectOnly(gated: GatedStage, sessions: readonly Session[], words: readonly string[], count: number) {
  const { stage, executed } = gated;
  const events = (await Promise.all(sessions.map(({ id }) => stage.events(id)))).flat();
  expect(executed().toSorted()).toEqual(words.toSorted());
  expect(wordsWithoutRow(executed(), events)).toEqual([]);
  expect(events.filter(({ event }) => event === 'approval.breached')).toEqual([]);
  expect((await stage.cli(['audit', 'verify'])).status).toBe(0);
  tried(`gated calls of ${stage.agent.title}`, count);
}

/** Denies every open question of a session until its turn has ended. */
async function denyRest({ stage, decide }: GatedStage, { id }: Session): Promise<void> {
  const { client } = stage.world;
  await eventually(
    async () => {
      for (const asked of await client.approvals.list({ session: id })) await decide(asked, false).catch(() => {});
      return ['idle', 'held'].includes((await client.show(id)).session.phase);
    },
    { msMax: 60_000, what: 'the end of the turn' },
  );
}

/** Answers the open question of an agent past Outlast. */
async function answerPast(stage: Stage, session: Session, says: Says): Promise<void> {
  const run = join(stage.world.state, 'sessions', session.id, 'runs/1');
  const script = join(stage.root, 'answer.mjs');
  writeFileSync(script, stage.agent.gateOpeners?.otherClient?.(says) ?? '');
  await stage.world.client.start({ argv: [process.execPath, script, JSON.stringify({ run })], cwd: stage.root });
}

/** The hook asks nobody, and prints what means nothing. */
function breakHook(stage: Stage): void {
  const folder = join(stage.world.state, 'programs');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('/ask.sh')) writeFileSync(join(folder, name), `cat >/dev/null\nprintf '{"allow":tru'\n`);
}

/** Kills an agent and waits until it is continued; where nobody knows what it has done, its session is held. */
async function killAgent(stage: Stage, session: Session): Promise<void> {
  const { pid, run } = (await session.show()).session;
  kill(pid);
  await eventually(
    async () => {
      const now = (await session.show()).session;
      return now.phase === 'held' || (now.run ?? 0) > (run ?? 0);
    },
    { msMax: 60_000, what: `the next run of ${stage.agent.name}` },
  );
}

/** Calls that are denied, unanswered or answered wrongly, and daemons and agents that are killed meanwhile. */
export const GATED_CALLS: Stories = {
  'files that would allow everything change nothing of what the rules say about many calls': needing(
    ['gate openers'],
    async (open) => {
      const gated = await openGated(open);
      const { stage, startGated } = gated;
      const { gateOpeners } = stage.agent;
      gateOpeners?.write(stage.root);
      const before = gateOpeners?.settings(stage.root);
      const words = wordsOf('ruled');
      const allowed = words.filter((_, i) => i % 5 === 4);
      const denied = words.filter((word) => !allowed.includes(word));
      const gate = { mode: 'gate' as const, allow: allowed.map(rule), deny: denied.map(rule) };
      const turns = Array.from({ length: words.length / PER_TURN }, (_, i) =>
        stage.script(...words.slice(i * PER_TURN, (i + 1) * PER_TURN).map(append), { say: 'bye' }),
      );
      const [first = '', ...more] = turns;
      const session = await startGated(driveOf(stage), first, { gate, trust: true });
      for (const text of more) await session.prompt(text);
      await stage.waitForEvent(session.id, 'prompt.answered', turns.length, 300_000);
      expect(await stage.events(session.id, 'approval.decided')).toHaveLength(words.length);
      await expectOnly(gated, [session], allowed, words.length);
      expect(gateOpeners?.settings(stage.root)).toBe(before);
    },
  ),

  'of many calls that a person decides about, those run that were allowed': async (open) => {
    const gated = await openGated(open);
    const { stage, startGated, pendingApproval, decide, turnEnd } = gated;
    const words = wordsOf('decided');
    const session = await startGated(driveOf(stage), stage.script(...words.map(append), { say: 'bye' }));
    for (const [i, word] of words.entries()) await decide(await pendingApproval(session, word), i % 2 === 1);
    await turnEnd(session);
    const allowed = words.filter((_, i) => i % 2 === 1);
    await expectOnly(gated, [session], allowed, words.length);
  },

  'of many calls that nobody decides about in time, none runs': async (open) => {
    const gated = await openGated(open);
    const { stage, startGated } = gated;
    const words = wordsOf('unanswered');
    const text = stage.script(...words.map(append), { say: 'bye' });
    const session = await startGated(driveOf(stage), text, { policy: { approvalMsMax: DENIES_MS } });
    await stage.waitForEvent(session.id, 'prompt.answered', 1, 150_000);
    expect(await stage.events(session.id, 'approval.decided')).toHaveLength(words.length);
    await expectOnly(gated, [session], [], words.length);
  },

  'of many calls about which the agent asks when the daemon is killed, those run that are allowed later': async (
    open,
  ) => {
    const gated = await openGated(open);
    const { stage, startGated, pendingApproval, decide, turnEnd, executed } = gated;
    const words = wordsOf('daemon killed');
    const session = await startGated(driveOf(stage), stage.script(...words.map(append), { say: 'bye' }));
    for (const [i, word] of words.entries()) {
      const asked = await pendingApproval(session, word);
      await stage.world.restart();
      expect(executed()).not.toContain(word);
      const again = await pendingApproval(session, word);
      expect(again.id).toBe(asked.id);
      await decide(again, i % 2 === 1);
    }
    await turnEnd(session);
    await expectOnly(
      gated,
      [session],
      words.filter((_, i) => i % 2 === 1),
      words.length,
    );
  },

  'of many calls about which an agent asked when it was killed, none runs': needing(['early reloads'], async (open) => {
    const gated = await openGated(open);
    const { stage, startGated, pendingApproval } = gated;
    const words = wordsOf('agent killed');
    const sessions: Session[] = [];
    for (const word of words) {
      const session = await startGated(driveOf(stage), stage.script(append(word), { say: 'bye' }));
      sessions.push(session);
      await pendingApproval(session, word);
      await killAgent(stage, session);
      await denyRest(gated, session);
      await session.stop();
    }
    await expectOnly(gated, sessions, [], words.length);
  }),

  'of many calls whose hook prints no answer, none runs': needing(
    ['gate by hooks', 'gate without a screen'],
    async (open) => {
      const gated = await openGated(open);
      const { stage, startGated } = gated;
      const words = wordsOf('garbage answered');
      const gate = { mode: 'gate' as const, allow: words.map(rule) };
      breakHook(stage);
      const session = await startGated(driveOf(stage), stage.script(...words.map(append), { say: 'bye' }), { gate });
      await stage.waitForEvent(session.id, 'prompt.answered', 1, 150_000);
      await expectOnly(gated, [session], [], words.length);
    },
  ),

  'of many calls whose question somebody else answers with garbage, none runs': needing(OTHERS, async (open) => {
    const gated = await openGated(open);
    const { stage, startGated } = gated;
    const words = wordsOf('garbage answered');
    const session = await startGated(driveOf(stage), stage.script(...words.map(append), { say: 'bye' }));
    const since = new Map<string, number>();
    await eventually(
      async () => {
        for (const asked of await stage.world.client.approvals.list({ session: session.id })) {
          const sinceMs = since.get(asked.id);
          since.set(asked.id, sinceMs ?? performance.now());
          if (sinceMs === undefined) await answerPast(stage, session, 'garbage');
          // The agent takes no notice, and waits for us.
          else if (performance.now() - sinceMs > IGNORED_MS) await gated.decide(asked, false).catch(() => {});
        }
        return (await stage.eventNames(session.id, 'prompt.answered')).length > 0;
      },
      { msMax: 150_000, what: 'the end of the turn' },
    );
    expect(await stage.events(session.id, 'approval.asked')).toHaveLength(words.length);
    await expectOnly(gated, [session], [], words.length);
  }),

  'each call that somebody else allows is reported as a breach, and ends its session': needing(OTHERS, async (open) => {
    const { stage, startGated, pendingApproval, executed } = await openGated(open);
    const words = wordsOf('answered by others');
    for (const word of words) {
      const text = stage.script(append(word), { run: 'sleep 60' }, { say: 'bye' });
      const session = await startGated(driveOf(stage), text);
      await pendingApproval(session, word);
      await answerPast(stage, session, 'yes');
      await stage.waitForEvent(session.id, 'approval.breached');
      await eventually(async () => (await session.show()).session.phase === 'ended', { msMax: 30_000 });
    }
    expect(executed()).toEqual(words);
    expect((await stage.cli(['audit', 'verify'])).status).toBe(0);
    tried(`gated calls of ${stage.agent.title}`, words.length);
  }),
};
