import { expect, test } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { isCampaign, leftForDeep, times } from '../campaign.ts';
import { ALL_HURT, hurtText, memoryMb, startHurt } from '../hurt/world.ts';
import { makeWorld } from '../world.ts';

// Programs stand in for agents that are broken in every way. Each costs its own session, and nothing else.

const MB = 1_000_000;
/** Both are longer than the longest line that is read. */
const LONG_BYTES = times(20 * MB, 100 * MB);
/** An answer of up to 64 MB is read as a whole, in both runs, and its memory is given back late. */
const KEPT_MB_MAX = 300;
/** No machine is so slow that a turn of another session takes this long. */
const OTHER_MS_MAX = 20_000;

/** A session that is given up has fewer. */
const EVENTS_MAX = 50;

/** What a caller is told: why the agent was given up, or that nobody knows whether it got the prompt. */
const GIVEN_UP = 'exit 3|exit 0 before it had finished|no progress for [\\d.]+m?s|not ready after [\\d.]+s';
const REASON = new RegExp(
  [
    `abandoned: (${GIVEN_UP}); it was resumed once`,
    'needs a person: nobody is logged in\n  Continue: outlast resume \\S+',
    'it is not known whether \\S+ received the prompt, so it is not sent again',
  ].join('|'),
);

/** The longest turn of a session while something else goes on. */
async function slowestTurnWhile(session: Session, work: Promise<unknown>): Promise<number> {
  const watch = { isOver: false };
  const over = work.finally(() => {
    watch.isOver = true;
  });
  let slowestMs = 0;
  for (let i = 0; !watch.isOver || i === 0; i += 1) {
    const beganMs = performance.now();
    expect((await session.converse(`turn ${i}`)).reply).toBe(`turn ${i}`);
    slowestMs = Math.max(slowestMs, performance.now() - beganMs);
  }
  await over;
  return slowestMs;
}

const QUICK = [
  'pi (turns) long',
  'opencode (server) long in a turn',
  'codex (server) half',
  'acp (server) garbage',
  'acp (server) refusal in a turn',
];
const played = ALL_HURT.filter((hurt) => isCampaign || QUICK.includes(hurtText(hurt)));
if (!isCampaign) leftForDeep('every agent, broken in every other way');

test.concurrent.for(played.map((hurt) => [hurtText(hurt), hurt] as const))(
  '%s',
  { timeout: 240_000 },
  async ([, hurt]) => {
    await using world = await makeWorld();
    const { pid } = await world.client.daemonStatus();
    const other = await world.client.start({ agent: 'echo', cwd: world.state });
    await other.converse('before');
    const beforeMb = memoryMb(pid);
    const session = await startHurt(world, hurt, LONG_BYTES);
    const asked = world.cli(['wait', session.id, '--for', 'reply:first', '--timeout', '120s']);
    expect(await slowestTurnWhile(other, asked)).toBeLessThan(OTHER_MS_MAX);
    const { status, stderr } = await asked;
    expect(stderr).toMatch(REASON);
    expect(status).not.toBe(0);
    // A loop of events would be found here, and would keep the daemon from everything else.
    expect((await world.events(session.id)).length).toBeLessThan(EVENTS_MAX);
    expect(memoryMb(pid) - beforeMb).toBeLessThan(KEPT_MB_MAX);
    const { prompts } = (await session.show()).session;
    expect(prompts).toMatchObject([{ id: 'first', text: 'the prompt that must not be lost' }]);
  },
);
