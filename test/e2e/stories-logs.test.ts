import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LogLine } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { bash, gatedWorld, person } from './gated.ts';
import { liveCli } from './live.ts';

// What a person reads of a session: while it happens, afterwards, and when the daemon dies in between.

const world = await gatedWorld({ config: { policy: { backoff: { msMin: 0 } } } });
afterAll(() => world[Symbol.asyncDispose]());
const rae = person(world, 'rae');

const WORDS = Array.from({ length: 30 }, (_, i) => `word${i}`).join(' ');

/** The lines of a printed text without the times in front of them. */
function timeless(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.replace(/^(?:\d\d:\d\d:\d\d| {8}) /, '').trimEnd());
}

test('a turn is followed to its end: prompt, call, text and how it ended', async () => {
  const id = await rae.start([{ say: 'I look.', tools: [bash('echo made > one')] }, { text: 'All done.' }]);
  await using following = liveCli(world, ['logs', id, '--follow']);
  expect(await following.status(30_000)).toBe(0);
  const [head, ...lines] = timeless(following.stdout);
  expect(head).toMatch(/^\* scripted .*in .*workspace$/);
  expect(lines[0]).toMatch(/^> SCRIPT/);
  const rest = lines.slice(lines.indexOf('I look.'));
  expect(rest[1]).toMatch(/^- echo made > one {2}ok \d+\.\ds/);
  expect(rest[2]).toBe('All done.');
  expect(rest[3]).toMatch(/^\* answered after /);
  expect(rest.at(-1)).toMatch(/^= ended: done, after /);
  // Read again afterwards, it is the same story; so are `output` and `list --tail`.
  const again = await rae.cli(['logs', id]);
  expect(timeless(again.stdout).map(lengthless)).toEqual(timeless(following.stdout).map(lengthless));
  expect((await rae.cli(['output', id, '--tail', '4'])).stdout).toMatch(
    /^All done\.\n\n\* answered[^\n]*\n= ended: done/,
  );
  expect((await rae.cli(['list', '--tail', '1'])).stdout).toContain('All done.');
  expect((await rae.cli(['output', id, '--raw'])).stdout).toContain('"type":"result"');
});

/** Without durations: those of a live call are those of the daemon that saw it. */
function lengthless(line: string): string {
  return line.replaceAll(/\d+(?:\.\d)?(?:ms|s|m|h)\b/g, 'T');
}

test('a text is shown as it is written; if the daemon dies, nothing is missing and nothing comes twice', async () => {
  const id = await rae.start([{ text: WORDS, pace: 100 }]);
  await using following = liveCli(world, ['logs', id, '--follow']);
  const said = (): string => following.stdout.replace(/^.*SCRIPT.*$/m, '');
  await eventually(() => /word[1-9]/.test(said()), { what: 'the first words' });
  // It is not recorded yet: these words came from what the agent is writing.
  expect(said()).not.toContain('word29');
  // It starts the next daemon itself.
  await world.kill();
  expect(await following.status(100_000)).toBe(0);
  expect(said().match(/word\d+/g)).toEqual(WORDS.split(' '));
  expect(following.stdout).toMatch(/= ended: done, after [^\n]+\n$/);
  expect(following.stdout.split('\n').filter((line) => / > SCRIPT/.test(line))).toHaveLength(1);
  // From here on the daemon is one of this test again.
  await world.client.stopDaemon();
  await eventually(() => world.start().catch(() => 0), { what: 'a daemon of this test' });
});

test('an approval is asked, decided and told, and programs get a line for each thing', async () => {
  const id = await rae.start([bash('echo yes > allowed'), { text: 'Fine.' }], '--gate');
  const { id: approval } = await rae.pendingApproval(id);
  await eventually(async () => (await rae.cli(['logs', id])).stdout.includes(`outlast approve ${approval}`), {
    what: 'the question in the logs',
  });
  await rae.cli(['approve', approval]);
  await rae.waitForEnd(id);
  const lines: LogLine[] = [];
  for await (const line of world.client.logs({ session: id })) lines.push(line);
  const [kinds, ids] = [lines.map(({ is }) => is), lines.map((line) => line.id)];
  expect(kinds).toEqual(['event', 'prompt', 'call', 'question', 'decision', 'text', 'event', 'end']);
  expect(new Set(ids).size).toBe(ids.length);
  const json = (await rae.cli(['logs', id, '--json', '--tail', '2'])).stdout.trim().split('\n');
  expect(json.map((line) => JSON.parse(line).is)).toEqual(['event', 'end']);
});

test('a fault and the resume after it are told', async () => {
  const id = await rae.start([bash('echo 1 >> count; kill -9 $PPID'), { text: 'Back.' }]);
  await rae.waitForEnd(id);
  const { stdout } = await rae.cli(['logs', id, '--since', '1h']);
  const lines = timeless(stdout);
  const fault = lines.findIndex((line) => line.startsWith('! run 1 broke: signal 9 KILL'));
  expect(lines[fault + 1]).toBe('* continues after the interruption (try 2)');
  expect(lines.slice(fault).join('\n')).toMatch(/run 2 starts \(\w+\)[\s\S]*Back\./);
  // Killed in its first call, it may not have written its prompt down; it is told what is not known.
  expect(readFileSync(join(rae.workspace, 'count'), 'utf8')).toBe('1\n');
  expect((await rae.cli(['logs', id, '--since', '2999-01-01'])).stdout).toBe('');
});

test('the logs of a command are its output, and end with how it ended', async () => {
  const id = (await rae.cli(['exec', '-b', '--', 'sh', '-c', 'echo one; echo two; exit 3'])).stdout.trim();
  const followed = await rae.cli(['logs', id, '--follow']);
  expect([followed.stdout, followed.stderr]).toEqual(['one\ntwo\n', `outlast: ${id} ended: exit 3\n`]);
  expect((await rae.cli(['logs', id, '--tail', '1'])).stdout).toBe('two\n');
  const refused = await rae.cli(['logs', id, '--since', '1h']);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('use --tail')]);
});

test('diff shows what a session and each of its turns changed, and not what was there before', async () => {
  const mine = join(rae.workspace, 'mine');
  mkdirSync(mine);
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e', ...words], { cwd: mine, encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(mine, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(mine, 'a.txt'), 'one\nnot committed\n');
  const script = (command: string): string =>
    `SCRIPT${JSON.stringify({ steps: [bash(command), { text: 'ok' }] })}SCRIPT`;
  const commits = 'echo theirs >> a.txt; git -c user.name=t -c user.email=t@e commit -qam theirs';
  const env = { HOME: rae.home, PATH: process.env.PATH ?? '' };
  const session = await world.client.start({
    agent: 'scripted',
    cwd: mine,
    env,
    name: 'edits',
    prompt: script(commits),
  });
  await session.reply();
  await session.converse(script('echo new > b.txt'));
  const stat = (await rae.cli(['diff', 'edits', '--stat'])).stdout;
  expect(stat).toBe(' a.txt | +1 -0\n b.txt | +1 -0 (added)\n 2 files changed, 2 insertions(+), 0 deletions(-)\n');
  const one = (await rae.cli(['diff', 'edits', '--turn', '-1', '--stat'])).stdout;
  expect(one).toBe(' b.txt | +1 -0 (added)\n 1 file changed, 1 insertion(+), 0 deletions(-)\n');
  const last = await session.changes({ turn: -1, stat: true });
  expect(last).toMatchObject({ base: { at: 'turn' }, until: { at: 'now' }, files: [{ path: 'b.txt' }], diff: '' });
  const first = await session.changes({ turn: 1 });
  expect(first.diff).toContain('@@ -1,2 +1,3 @@\n one\n not committed\n+theirs\n');
  await session.stop();
  const ended = async () => (await session.changes()).until.at === 'end';
  await eventually(ended, { what: 'the files as the session left them' });
  rmSync(join(mine, 'a.txt'));
  expect((await session.changes()).additions).toBe(2);
  rmSync(mine, { recursive: true });
  await expect(session.changes()).rejects.toThrow(/the repository of .*mine, which has the unchanged files, is gone/);
  await expect(session.changes({ turn: 7 })).rejects.toThrow('edits has no turn 7; it has 2');
});
