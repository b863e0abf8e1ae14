import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type ApprovalLine, connect } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';
import { bash, gatedWorld, person } from './gated.ts';
import { pathWithOutlast } from './live.ts';
import { storyOf } from './spawning.ts';

test('an agent decides neither for itself nor for others; its owner does, with its name', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const id = await ann.start([bash('echo x')], '--gate', '--name', 'judged');
  const { id: question } = await ann.pendingApproval(id);
  const own = await ann.cli(['approve', question], { OUTLAST_RUN: `${id}.1` });
  expect(own).toMatchObject({ status: 4 });
  expect(own.stderr).toContain('runs inside judged and cannot decide its calls');
  expect((await ann.cli(['audit', '--session', 'judged'])).stdout).toMatch(/REFUSED: process \d+ \(.*approve/);
  const unproven = world.client.transport.call('approval.decide', { which: question, allow: true });
  await expect(unproven).rejects.toMatchObject({ code: 'decider_refused' });
  const removal = ['rules', 'remove', 'deny', 'Bash(x)'];
  expect((await ann.cli(removal, { OUTLAST_RUN: `${id}.1` })).stderr).toContain('may not remove rules');
  expect((await ann.pendingApproval(id)).id).toBe(question);
  // A real case: the agent of another session runs the command line as one of its tools.
  const outlast = `PATH='${pathWithOutlast(world)}' OUTLAST_STATE='${world.state}' outlast`;
  const story = Buffer.from(storyOf([bash('echo x')])).toString('base64');
  const steps = [
    bash(`${outlast} approve judged --by chief >said 2>&1`),
    bash(`echo ${story} | base64 -d | ${outlast} spawn --gate --agent scripted --name kid - >kid 2>/dev/null`),
    bash(`${outlast} wait kid --for approval; ${outlast} approve kid --by chief --always >>said 2>&1`),
    bash(`${outlast} approve kid --by chief >>said 2>&1`),
  ];
  await ann.waitForEnd(await ann.start(steps, '--name', 'chief'));
  expect(ann.file('said')).toContain('judged is not a session that chief started');
  expect(ann.file('said')).toContain('chief may make rules for the session only, not --always');
  expect((await ann.pendingApproval(id)).id).toBe(question);
  const audit = (await ann.cli(['audit', '--session', ann.file('kid')?.trim() ?? ''])).stdout;
  expect(audit).toMatch(/allowed Bash \w+ by chief in chief/);
  await ann.cli(['stop', id]);
});

/** A script that tries until it may decide, or gets the reason why not. */
function trying(world: World): string {
  const line = "until outlast approve self >tried 2>&1; do grep -q 'cannot decide' tried && exit; done";
  return `PATH='${pathWithOutlast(world)}' OUTLAST_STATE='${world.state}'; export PATH OUTLAST_STATE; ${line}`;
}

test('a process that an agent left running cannot decide for it, unless it lost marker and parents', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  writeFileSync(join(ann.workspace, 'try.sh'), trying(world));
  const self = async (how: string): Promise<string | null> => {
    const left = `${how} sh try.sh </dev/null >/dev/null 2>&1 &`;
    const words = ['--gate', '--name', 'self', '--allow', `Bash(${left})`, '--ask-timeout', '3s'];
    const id = await ann.start([bash(left), bash('echo x >> out.txt')], ...words);
    await ann.waitForEnd(id);
    return ann.file('out.txt');
  };
  expect(await self('nohup')).toBeNull();
  expect(ann.file('tried')).toContain('runs inside self and cannot decide its calls');
  // The limit that docs/guides/approvals.md describes: only a sandbox, or denying such a command, prevents it.
  expect(await self('env -u OUTLAST_RUN')).toBe('x\n');
});

test('an approval survives the daemon, and a follower gets each approval once', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const lines: ApprovalLine[] = [];
  using follower = connect({ state: world.state, env: { ...world.env, OUTLAST_DAEMON: '/nonexistent' } });
  const leaving = new AbortController();
  const following = (async () => {
    for await (const line of follower.approvals.follow({}, leaving.signal)) lines.push(line);
  })().catch(() => {});
  const id = await ann.start(
    [bash('echo one > out.txt'), bash('echo two > out.txt')],
    '--gate',
    '--allow',
    'Bash(true)',
  );
  const first = await ann.pendingApproval(id);
  await world.kill();
  await world.start();
  const again = await ann.pendingApproval(id);
  expect([again.id, again.hash, again.askedAtMs]).toEqual([first.id, first.hash, first.askedAtMs]);
  await ann.cli(['approve', first.id]);
  const second = await eventually(async () => {
    const asked = await ann.pendingApproval(id);
    return asked.id !== first.id && asked;
  });
  expect(ann.file('out.txt')).toBe('one\n');
  await ann.cli(['deny', second.id, '--why', 'enough']);
  await ann.waitForEnd(id);
  await eventually(() => lines.length === 4);
  leaving.abort();
  await following;
  expect(lines.map(({ is, id }) => [is, id])).toEqual([
    ['asked', first.id],
    ['gone', first.id],
    ['asked', second.id],
    ['gone', second.id],
  ]);
  expect(lines[1]?.decided).toMatchObject({ allow: true, by: 'ann' });
  expect(lines[3]?.decided).toMatchObject({ allow: false, by: 'ann', why: 'enough' });
});

test('deny and ask rules of a folder apply at once; its allow rules need trust, which a change revokes', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  mkdirSync(join(ann.workspace, '.outlast'));
  const rules = (lists: object): void =>
    writeFileSync(join(ann.workspace, '.outlast', 'rules.json'), JSON.stringify(lists));
  rules({ allow: ['Bash(echo:*)'], deny: ['Bash(rm:*)'] });
  const steps = [bash('rm out.txt'), bash('echo x')];
  const untrusted = await ann.start(steps, '--gate');
  expect((await ann.pendingApproval(untrusted)).tool).toBe('Bash');
  expect((await ann.cli(['audit', '--by', 'rules'])).stdout).toMatch(/denied Bash \w+ by rules \(deny Bash\(rm:\*\)\)/);
  await ann.cli(['stop', untrusted]);
  const warned = await ann.cli(['start', '--agent', 'scripted', '--gate', 'hello']);
  expect(warned.stderr).toContain('1 allow rule of .outlast/rules.json ignored: the folder is not trusted');
  const trusted = await ann.start(steps, '--gate', '--trust');
  expect(await ann.waitForEnd(trusted)).toMatchObject({ status: 0 });
  const after = await ann.start(steps, '--gate');
  expect(await ann.waitForEnd(after)).toMatchObject({ status: 0 });
  rules({ allow: ['Bash'] });
  const changed = await ann.cli(['start', '--agent', 'scripted', '--gate', 'hello']);
  expect(changed).toMatchObject({ status: 4 });
  expect(changed.stderr).toContain('has changed its');
  rules({ deny: ['Bash()'] });
  const wrong = await ann.cli(['start', '--agent', 'scripted', '--gate', '--trust', 'hello']);
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.stderr).toContain('.outlast/rules.json: the deny rule "Bash()" has empty parentheses');
});

test('the audit is verified, outlives its sessions, and names the row that was changed or cut off', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const steps = [bash('echo a'), bash('echo b'), bash('echo c')];
  const id = await ann.start(steps, '--gate', '--name', 'gone', '--allow', 'Bash(echo:*)');
  await ann.waitForEnd(id);
  expect(await ann.cli(['remove', 'gone'])).toMatchObject({ status: 0 });
  const rows = (await ann.cli(['audit', '--session', 'gone', '--json'])).stdout.trim().split('\n');
  const count = rows.length;
  expect(count).toBeGreaterThanOrEqual(3);
  expect(await ann.cli(['audit', 'verify'])).toMatchObject({ status: 0, stdout: `${count} rows are intact.\n` });
  expect((await ann.cli(['audit', '--since', '1h'])).stdout.trim().split('\n')).toHaveLength(count);
  expect((await ann.cli(['audit', '--since', '2099-01-01'])).stdout).toBe('');
  expect((await ann.cli(['audit', '--tool', 'Edit'])).stdout).toBe('');
  const head = (await ann.cli(['audit', 'head'])).stdout.trim();
  expect(head).toMatch(new RegExp(`^${count}:[0-9a-f]{64}$`));
  expect(await ann.cli(['audit', 'verify', '--head', head])).toMatchObject({ status: 0 });
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  db.exec('CREATE TEMP TABLE kept AS SELECT * FROM audit');
  db.exec(`DELETE FROM audit WHERE number = ${count}`);
  expect(await ann.cli(['audit', 'verify'])).toMatchObject({ status: 0 });
  const cut = await ann.cli(['audit', 'verify', '--head', head]);
  expect(cut).toMatchObject({ status: 1 });
  expect(cut.stdout).toContain(`row ${count} is missing`);
  db.exec(`INSERT INTO audit SELECT * FROM kept WHERE number = ${count}`);
  db.exec(`UPDATE audit SET record = replace(record, '"run":1', '"run":0') WHERE number = 2`);
  db.close();
  const flipped = await ann.cli(['audit', 'verify']);
  expect(flipped).toMatchObject({
    status: 1,
    stdout: 'Damaged: row 2 is not what was written; intact rows before it: 1.\n',
  });
  expect(JSON.parse((await ann.cli(['audit', 'verify', '--json'])).stdout)).toMatchObject({
    ok: false,
    row: 2,
    rows: 1,
  });
  expect((await ann.cli(['audit'])).status).toBe(0);
});
