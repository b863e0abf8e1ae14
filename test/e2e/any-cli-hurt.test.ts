import { expect, test } from 'vitest';
import { LLM_ENTRY, shownIn, started, worldWith } from '../any-cli/world.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';

const AGENT = ['--agent', 'mine'] as const;
/** Expressions that make backtracking take for ever on a line of equal letters. */
const CRUEL = {
  ...LLM_ENTRY,
  end: { regex: '^(a+)+$x' },
  failed: { regex: '(?:.*.*)*zzz' },
  reply: { regex: 'a*a*a*b' },
};

/** No machine is so slow that a daemon which only reads in pieces takes this long to answer. */
const STALL_MS = 20_000;

/** The longest time that a call to the daemon took while something else was going on. */
async function slowestWhile(world: World, work: Promise<unknown>): Promise<number> {
  const watch = { isOver: false, slowestMs: 0 };
  const over = work.finally(() => {
    watch.isOver = true;
  });
  while (!watch.isOver) {
    const beganMs = performance.now();
    await world.client.daemonStatus();
    watch.slowestMs = Math.max(watch.slowestMs, performance.now() - beganMs);
  }
  await over;
  return watch.slowestMs;
}

test.concurrent('garbage is a reply, and the session goes on', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const id = await started(world, [...AGENT, 'garbage']);
  await shownIn(world, id, 'idle');
  expect((await world.cli(['converse', id, 'hello'])).stdout).toContain('2 prompts; model none: hello');
});

test.concurrent('100 MB in one line are left out, and no other session waits for them', {
  timeout: 120_000,
}, async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const id = await started(world, [...AGENT, 'hello']);
  const slowestMs = await slowestWhile(world, world.cli(['converse', id, 'one-line 100']));
  expect(JSON.parse(await shownIn(world, id, 'idle')).reply).toBe('[a line that is too long was left out]');
  expect(slowestMs).toBeLessThan(STALL_MS);
  expect((await world.cli(['converse', id, 'more'])).stdout).toContain('3 prompts');
});

test.concurrent('expressions that would take for ever do not stop the daemon', { timeout: 120_000 }, async () => {
  await using world = await worldWith({ mine: CRUEL, plain: LLM_ENTRY });
  const id = await started(world, [...AGENT, 'hello']);
  const slowestMs = await slowestWhile(world, world.cli(['converse', id, 'one-line 3']));
  expect(slowestMs).toBeLessThan(STALL_MS);
  expect((await world.cli(['run', '--agent', 'plain', 'hello'])).stdout).toContain('1 prompts');
});

test.concurrent('half a line for ever is a turn that hangs: it is ended, and the session is not lost', async () => {
  await using world = await worldWith({ mine: { ...LLM_ENTRY, reply: { json: 'reply' } } });
  const id = await started(world, [...AGENT, '--hang-after', '2s', '--resumes', '1', 'half']);
  const faulted = async () => ((await world.events(id)).includes('run.faulted') ? true : null);
  await eventually(faulted, { what: 'a turn that counts as hung', msMax: 60_000 });
  expect((await world.cli(['stop', id])).status).toBe(0);
});

test.concurrent('a program that is missing is named, with how to install it', async () => {
  const gone = { turn: ['no-such-program-here'], install: 'Get it from the shop.' };
  await using world = await worldWith({ mine: LLM_ENTRY, gone });
  const ran = await world.cli(['start', '--agent', 'gone', 'hello']);
  expect(ran.status).not.toBe(0);
  expect(ran.stderr).toContain('there is no gone on your PATH. Get it from the shop.');
  expect((await world.cli(['agents', 'gone'])).stdout).toContain('not installed; Get it from the shop.');
  expect((await world.cli(['run', ...AGENT, 'hello'])).stdout).toContain('1 prompts');
});
