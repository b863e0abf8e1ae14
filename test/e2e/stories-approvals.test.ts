import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, gatedWorld, person } from './gated.ts';

// The command line, a real daemon and the scripted agent with its real hooks: what a person sees and decides.

const world = await gatedWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('a call waits, is shown with its full input, and runs when it is allowed', async () => {
  const ann = person(world, 'ann');
  const id = await ann.start([bash('echo one > out.txt')], '--gate', '--name', 'first');
  const asked = await ann.pendingApproval(id);
  expect(ann.file('out.txt')).toBeNull();
  const shown = await ann.cli(['approvals']);
  expect(shown.stdout).toContain(`${asked.id}  Bash  first  `);
  expect(shown.stdout).toMatch(/command +echo one > out\.txt\n/);
  expect(shown.stdout).toMatch(/auto-denied in .*[ms]\n/);
  expect((await ann.cli(['list'])).stdout).toContain('blocked, 1 to approve');
  expect((await ann.cli(['show', 'first'])).stdout).toMatch(/gate +gate: every tool call needs approval; .* 5m\n/);
  const waited = await ann.cli(['wait', 'first', '--for', 'approval']);
  expect([waited.status, waited.stderr]).toEqual([0, '  Decide: outlast approvals first\n']);
  const approved = await ann.cli(['approve', asked.id]);
  expect(approved).toMatchObject({ status: 0, stdout: `Allowed ${asked.id} (Bash) of ${id}.\n` });
  expect(await ann.waitForEnd(id)).toMatchObject({ status: 0 });
  expect(ann.file('out.txt')).toBe('one\n');
  const again = await ann.cli(['approve', asked.id]);
  expect(again).toMatchObject({ status: 4 });
  expect(again.stderr).toContain(`${asked.id} was already allowed by ann`);
  expect((await ann.cli(['audit', '--session', 'first'])).stdout).toContain(`first allowed Bash ${asked.id} by ann`);
});

test('a caller that waits for the reply of a gated run sees what it asks, and how to answer', async () => {
  const lee = person(world, 'lee');
  const script = `SCRIPT${JSON.stringify({ steps: [bash('echo hi'), { text: 'bye' }] })}SCRIPT`;
  const running = lee.cli(['run', '--agent', 'scripted', '--gate', '--name', 'gated', script]);
  await eventually(async () => (await lee.cli(['approve', 'gated'])).status === 0);
  const { status, stdout, stderr } = await running;
  expect([status, stdout]).toEqual([0, 'bye\n']);
  expect(stderr).toMatch(/Bash waits for approval: \{"command":"echo hi".*\n {2}outlast approve \w{8} {3}or/);
});

test('a denial stops the call, and its reason reaches the agent', async () => {
  const bob = person(world, 'bob');
  const id = await bob.start([bash('echo no > out.txt'), { text: 'well' }], '--gate', '--name', 'second');
  await bob.pendingApproval(id);
  expect(await bob.cli(['deny', 'second', '--why', 'use the other one'])).toMatchObject({ status: 0 });
  expect(await bob.waitForEnd(id)).toMatchObject({ status: 0 });
  expect(bob.file('out.txt')).toBeNull();
  expect((await bob.cli(['turn', 'second', '--full'])).stdout).toContain('Denied by bob: use the other one');
  expect((await bob.cli(['report', 'second'])).stdout).toContain('Bash denied by bob');
});

test('a changed call is made instead of the original one', async () => {
  const cleo = person(world, 'cleo');
  const id = await cleo.start([bash('echo asked > out.txt')], '--gate', '--deny', 'Bash(rm:*)');
  const { id: question } = await cleo.pendingApproval(id);
  const denied = await cleo.cli(['approve', question, '--edit', '{"command":"rm -rf x"}']);
  expect(denied).toMatchObject({ status: 2 });
  expect(denied.stderr).toContain('the changed call is denied by a rule: deny Bash(rm:*)');
  const edited = ['approve', question, '--edit', '{"command":"echo changed > out.txt"}'];
  expect(await cleo.cli(edited)).toMatchObject({ status: 0 });
  await cleo.waitForEnd(id);
  expect(cleo.file('out.txt')).toBe('changed\n');
  const [row] = (await cleo.cli(['audit', '--session', id, '--json'])).stdout.trim().split('\n');
  const { record } = JSON.parse(row ?? '');
  expect(record).toMatchObject({ allow: true, by: 'cleo', edit: '{"command":"echo changed > out.txt"}' });
  expect(record.editHash).not.toBe(record.hash);
});

test('a decision becomes a rule: for the session, or for the workspace until it is removed', async () => {
  const dora = person(world, 'dora');
  const twice = [bash('echo x >> out.txt'), bash('echo x >> out.txt')];
  const first = await dora.start(twice, '--gate');
  await dora.pendingApproval(first);
  const approved = await dora.cli(['approve', first, '--session']);
  expect(approved.stdout).toContain('  allow Bash(echo x >> out.txt) for the rest of the session\n');
  await dora.waitForEnd(first);
  expect(dora.file('out.txt')).toBe('x\nx\n');
  const second = await dora.start(twice, '--gate');
  await dora.pendingApproval(second);
  expect(await dora.cli(['approve', second, '--always'])).toMatchObject({ status: 0 });
  await dora.waitForEnd(second);
  const third = await dora.start(twice, '--gate');
  expect(await dora.waitForEnd(third)).toMatchObject({ status: 0 });
  expect(dora.file('out.txt')).toBe('x\n'.repeat(6));
  expect((await dora.cli(['rules', 'list'])).stdout).toBe(`allow  Bash(echo x >> out.txt)  in ${dora.workspace}\n`);
  const elsewhere = await person(world, 'dora2').start(twice, '--gate');
  await dora.pendingApproval(elsewhere);
  await dora.cli(['stop', elsewhere]);
  expect(await dora.cli(['rules', 'remove', 'allow', 'Bash(echo x >> out.txt)'])).toMatchObject({ status: 0 });
  expect(await dora.cli(['rules', 'remove', 'allow', 'Bash(echo x >> out.txt)'])).toMatchObject({ status: 2 });
  const fourth = await dora.start(twice, '--gate');
  await dora.pendingApproval(fourth);
  await dora.cli(['stop', fourth]);
});

test('a given rule must match the call; a call without a narrow rule needs one', async () => {
  const eve = person(world, 'eve');
  const id = await eve.start([bash('ls *')], '--gate');
  const { id: question, rule } = await eve.pendingApproval(id);
  expect(rule).toBeNull();
  expect((await eve.cli(['approve', question, '--always'])).stderr).toContain('no rule covers exactly this call');
  const other = await eve.cli(['approve', question, '--always', '--rule', 'Bash(rm:*)']);
  expect(other.stderr).toContain('the rule Bash(rm:*) does not allow this call by itself');
  expect((await eve.cli(['rules', 'list', '--json'])).stdout).not.toContain(eve.workspace);
  expect(await eve.cli(['approve', question, '--always', '--rule', 'Bash(ls:*)'])).toMatchObject({ status: 0 });
  await eve.waitForEnd(id);
  expect((await eve.cli(['rules', 'list'])).stdout).toContain(`allow  Bash(ls:*)  in ${eve.workspace}`);
});

test('all matching approvals are decided at once, over sessions, and nothing else', async () => {
  const finn = person(world, 'finn');
  const sessions = await Promise.all([
    finn.start([bash('echo same')], '--gate'),
    finn.start([bash('echo same')], '--gate'),
    finn.start([bash('echo other')], '--gate'),
  ]);
  const [one, two, three] = await Promise.all(sessions.map((id) => finn.pendingApproval(id)));
  const ran = await finn.cli(['approve', '--all-like', one?.id ?? '', '--json']);
  const ids = JSON.parse(ran.stdout).decided.map(({ approval }: { approval: string }) => approval);
  expect(ids).toEqual([one?.id, two?.id]);
  expect((await finn.cli(['deny', three?.id ?? ''])).status).toBe(0);
  await Promise.all(sessions.map((id) => finn.waitForEnd(id)));
});

test('an edit is shown as a diff against the current file, and deceptive characters as codes', async () => {
  const gus = person(world, 'gus');
  writeFileSync(join(gus.workspace, 'a.ts'), 'one\ntwo\nthree\n');
  const edit = { file_path: join(gus.workspace, 'a.ts'), old_string: 'two', new_string: 'zwei' };
  const id = await gus.start([{ tool: 'Edit', input: edit }, bash('echo \u202Etxt.exe \u001b[2K')], '--gate');
  await gus.pendingApproval(id);
  const shown = (await gus.cli(['approvals', id])).stdout;
  expect(shown).toContain('  @@ -1,3 +1,3 @@\n   one\n  -two\n  +zwei\n   three\n');
  await gus.cli(['approve', id]);
  await eventually(async () => (await gus.pendingApproval(id)).tool === 'Bash');
  expect((await gus.cli(['approvals', id])).stdout).toMatch(/command +echo \\u202etxt\.exe \\x1b\[2K\n/);
  await gus.cli(['stop', id]);
});

test('without an answer a gate denies, a watch allows, and a denial in time stops it there too', async () => {
  const hal = person(world, 'hal');
  const gated = await hal.start([bash('echo a > gated')], '--gate', '--ask-timeout', '300ms');
  await hal.waitForEnd(gated);
  expect(hal.file('gated')).toBeNull();
  expect((await hal.cli(['audit', '--by', 'timeout'])).stdout).toContain('denied Bash');
  const watched = await hal.start([bash('echo b > watched')], '--watch', '300ms');
  await hal.waitForEnd(watched);
  expect(hal.file('watched')).toBe('b\n');
  const stopped = await hal.start([bash('echo c > stopped')], '--watch', '60s');
  expect((await hal.pendingApproval(stopped)).mode).toBe('watch');
  expect((await hal.cli(['approvals', stopped])).stdout).toMatch(/allowed in (59|60|1m)/);
  await hal.cli(['deny', stopped]);
  await hal.waitForEnd(stopped);
  expect(hal.file('stopped')).toBeNull();
  const allowed = await hal.start([bash('echo d > allowed')], '--watch', '1h');
  await hal.pendingApproval(allowed);
  await hal.cli(['approve', allowed]);
  await hal.waitForEnd(allowed);
  expect(hal.file('allowed')).toBe('d\n');
});

test('how long a watch shows a call may come from the variable of the earlier system', async () => {
  const ida = person(world, 'ida');
  const variable = { CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT: '7' };
  const start = ['start', '--agent', 'scripted', '--watch', 'hello'];
  const shown = async (words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
    const { stdout, stderr } = await ida.cli(words, env);
    return `${stderr}${(await ida.cli(['show', stdout.trim()])).stdout}`;
  };
  expect(await shown(start, variable)).toMatch(/shown for 7\.0s, then allowed/);
  expect(await shown(['start', '--agent', 'scripted', '--watch', '9s', 'hello'], variable)).toMatch(/shown for 9\.0s/);
  const wrong = await shown(start, { CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT: 'soon' });
  expect(wrong).toMatch(/CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT ignored/);
  expect(wrong).toMatch(/shown for 30s/);
});

test('what the start prints about permissions is true of each mode', async () => {
  const jo = person(world, 'jo');
  const warning = async (...words: string[]): Promise<string> =>
    (await jo.cli(['start', '--agent', 'scripted', ...words, 'hello'])).stderr;
  expect(await warning()).toContain('runs without asking for permission');
  expect(await warning('--no-gate')).toContain('runs without asking for permission');
  expect(await warning('--watch')).toMatch(/shows each tool call for 30 s, and allows it unless somebody denies it/);
  const gated = await warning('--gate');
  expect(gated).toContain('asks before every tool call');
  expect(gated).not.toContain('without asking');
});

test('the options of the gate are checked before anything starts', async () => {
  const kay = person(world, 'kay');
  const refused = async (...words: string[]): Promise<string> => {
    const { status, stderr } = await kay.cli(['start', '--agent', 'scripted', ...words]);
    expect(status).toBe(2);
    return stderr;
  };
  expect(await refused('--gate', '--watch', 'hello')).toContain('choose one of --gate, --watch and --no-gate');
  expect(await refused('--watch', '--ask-timeout', 'none', 'hello')).toContain('--watch allows calls');
  expect(await refused('--gate', '--ask-timeout', '0', 'hello')).toContain('write none for no timeout');
  expect(await refused('--gate', '--allow', 'Bash()', 'hello')).toContain('has empty parentheses');
  expect(await refused('--allow', 'Bash(ls)', 'hello')).toContain('rules need a gate');
  expect(await refused('--gate', '--rules', '/nonexistent', 'hello')).toContain('cannot read /nonexistent');
});
