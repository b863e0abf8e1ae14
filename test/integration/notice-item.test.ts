import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Actor, byPolicy, person } from '../../src/core/actor.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { listen, notice, noticeWorld } from './notice-world.ts';

test.each([
  ['whole lines', `${'early line\n'.repeat(1_000)}a\n\n  b  \n`, /^(early line\n){35}a\n {2}b$/],
  ['the end of a line that is too long', 'x'.repeat(10_000) + 'y'.repeat(100), /^x{300}y{100}$/],
  ['no half of an escape', `\x1b[31mred${'\n'.repeat(4_085)}last\n`, /^last$/],
  ['nothing when there is nothing', '\n \n', /^$/],
])('the end of the output is shown as %s', async (_, output, shown) => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }));
  world.end({ output });
  const got = await eventually(() => server.received[0]);
  expect(got.notices[0]?.snippet).toMatch(shown);
});

test('T-NOTICE-1 no notice is sent to the person who stops a silent command', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }));
  const stopped = (by: Actor) => ({ kind: 'stopped', by }) as const;
  const spec = { notify: 'output' } as const;
  world.end({ output: '', spec, outcome: stopped(person('ann')) });
  world.end({ output: '', spec: { ...spec, name: 'late' }, outcome: stopped(byPolicy('timeout')) });
  world.end({ output: 'words\n', spec: { ...spec, name: 'loud' }, outcome: stopped(person('ann')) });
  await eventually(() => server.received.flatMap(({ notices }) => notices).length >= 2);
  const names = server.received.flatMap(({ notices }) => notices.map(({ name }) => name));
  expect(names).toEqual(['late', 'loud']);
});

test('when standard output is empty, the end of standard error is shown', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }));
  const session = world.end({ output: '', spec: { split: true, notify: 'always' } });
  writeFileSync(runFolder(world.state, { session, run: 1 }).stderr, 'no such file\n');
  expect((await eventually(() => server.received[0])).notices[0]?.snippet).toBe('no such file');
});

test('a session is described by the command line its caller wrote, cut when it is long', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }));
  world.end({ spec: { argv: ['/bin/bash', '-c', 'make \\\n  all'] } });
  world.end({ spec: { argv: ['echo', 'x'.repeat(300)] } });
  const got = await eventually(() => server.received[0]);
  expect(got.notices.map(({ command }) => command)).toEqual(['make \\   all', `echo ${'x'.repeat(194)}…`]);
});
