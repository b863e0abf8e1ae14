import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { randomPng } from '../png.ts';
import { makeWorld, type Ran, type World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

afterAll(() => world[Symbol.asyncDispose]());

/** The folder of a test, with its batch file. */
class Place {
  readonly name: string;
  readonly folder: string;
  readonly #world: World;

  constructor(name: string, its: World = world) {
    this.name = name;
    this.#world = its;
    this.folder = join(its.state, 'places', name);
    mkdirSync(this.folder, { recursive: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(sessions: object, more: object = {}): void {
    const batch = { defaults: { agent: 'scripted' }, ...more, sessions };
    writeFileSync(this.path(`${this.name}.json`), JSON.stringify(batch, null, 2));
  }

  run(...options: string[]): Promise<Ran> {
    return this.#world.cli(['batch', `${this.name}.json`, ...options], { cwd: this.folder });
  }

  /** Starts the batch and does not wait for it. */
  start(): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
    const args = [BIN, 'batch', `${this.name}.json`];
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: this.#world.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    return { child, output: () => text, ended: new Promise((resolve) => child.on('close', resolve)) };
  }

  /** How often the sessions of this place ran, by their names. */
  done(): Record<string, number> {
    const files = readdirSync(this.folder).filter((name) => name.startsWith('did-'));
    return Object.fromEntries(
      files.map((name) => [name.slice(4), readFileSync(this.path(name), 'utf8').trim().split('\n').length]),
    );
  }

  async sessions(): Promise<string[]> {
    const { sessions } = await world.client.list({ limit: 1_000 });
    return sessions.flatMap(({ name, workspace }) => (workspace === this.folder && name !== null ? [name] : [])).sort();
  }
}

/** A part whose session appends a line to a file, once the file `gate` exists, and then answers. */
function part(name: string, { gate = '', reply = `${name} is done` } = {}): { prompt: string } {
  const wait = gate === '' ? '' : `until [ -e ${gate} ]; do sleep 0.05; done; `;
  const command = `${wait}echo x >> did-${name}`;
  const steps = [{ tool: 'Bash', input: { command, description: 'x' } }, { text: reply }];
  return { prompt: `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT` };
}

const states = (ran: Ran): Record<string, string> => {
  const { sessions } = JSON.parse(ran.stdout) as { sessions: { name: string; state: string }[] };
  return Object.fromEntries(sessions.map(({ name, state }) => [name, state]));
};

test('sessions run in their order, with the replies of those before, and everything is summed up', async () => {
  const place = new Place('order');
  place.write({
    last: { prompt: 'Sum up: {{part.reply}}' },
    part: { prompt: 'Look at {{each}} as {{plan.reply}} says.', each: ['api', 'web'] },
    plan: { prompt: 'Make a plan.' },
  });
  const ran = await place.run('--replies', 'out');
  expect(ran).toMatchObject({ status: 0 });
  const [head, ...lines] = ran.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^NAME +STATE +TIME +TURNS +TOKENS +COST +SESSION$/);
  expect(lines).toEqual([
    expect.stringMatching(/^plan +answered +[\d.]+s +1 +\d+ +\$0\.\d\d +order-plan$/),
    expect.stringMatching(/^part-api +answered /),
    expect.stringMatching(/^part-web +answered /),
    expect.stringMatching(/^last +answered /),
    expect.stringMatching(/^4 answered; 4 turns, \d+ tokens, \$0\.\d\d$/),
  ]);
  expect(ran.stderr).toContain('plan: running as order-plan (');
  expect(ran.stderr.match(/^outlast: warning: scripted runs without asking/gm)).toHaveLength(1);
  expect(readFileSync(place.path('out/last.md'), 'utf8')).toBe(
    [
      'You said: Sum up: # part-api\n\nYou said: Look at api as You said: Make a plan. says.\n\n',
      '# part-web\n\nYou said: Look at web as You said: Make a plan. says.\n',
    ].join(''),
  );
  const again = await place.run();
  expect([again.status, again.stderr]).toEqual([0, '']);
  expect(again.stdout).toMatch(/^last +already answered .*\n4 answered \(4 before\); 4 turns/m);
  expect(await place.sessions()).toHaveLength(4);
});

test('a session has images, and another picture under the same name is another session', async () => {
  const place = new Place('pictures');
  place.write({ look: { prompt: 'Look at {{each}}.', image: '{{each}}.png', each: ['old', 'new'] } });
  const missing = await place.run();
  expect(missing.status).toBe(2);
  expect(missing.stderr).toMatch(/pictures\.json:\d+:\d+: cannot read .*\/old\.png: no such file/);
  for (const name of ['old', 'new']) writeFileSync(place.path(`${name}.png`), randomPng());
  const triesOf = (ran: Ran) =>
    (JSON.parse(ran.stdout) as { sessions: { name: string; reply: string; old: boolean }[] }).sessions;
  const first = await place.run('--json');
  expect(first.status, first.stderr).toBe(0);
  for (const { reply } of triesOf(first)) expect(reply).toMatch(/^You said: @\/\S+\.png Look at (old|new)\.$/);
  writeFileSync(place.path('new.png'), randomPng());
  await place.run('--json');
  expect(await place.sessions()).toEqual(['pictures-look-new', 'pictures-look-new', 'pictures-look-old']);
});

test('no more sessions run at once than requested', async () => {
  const place = new Place('cap');
  const parts = [1, 2, 3, 4, 5].map((each) => [`p${each}`, part(`p${each}`, { gate: `go${each}` })]);
  place.write(Object.fromEntries(parts), { concurrency: 2 });
  const { ended, child } = place.start();
  const live = async (): Promise<string[]> => {
    const { sessions } = await world.client.list({ state: 'live', limit: 100 });
    return sessions.flatMap(({ name }) => (name?.startsWith('cap-') ? [name] : [])).sort();
  };
  for (const each of [1, 2, 3, 4, 5]) {
    const expected = [each, each + 1].filter((one) => one <= 5).map((one) => `cap-p${one}`);
    await eventually(async () => JSON.stringify(await live()) === JSON.stringify(expected), { what: `${expected}` });
    writeFileSync(place.path(`go${each}`), '');
  }
  expect([await ended, child.signalCode]).toEqual([0, null]);
});

test.each(some([1, 2, 3, 4, 5, 7, 9], 3))(
  'killed after %i lines of its state and run again, nothing is repeated and nothing is left out',
  async (lines) => {
    const place = new Place(`killed-${lines}`);
    const before = new Set(stateFiles());
    place.write({
      a: part('a'),
      b: part('b'),
      c: { ...part('c'), after: ['a'] },
      d: { ...part('d'), after: ['b', 'c'] },
    });
    const { child, ended } = place.start();
    const count = (): number => {
      const file = stateFiles().find((path) => !before.has(path));
      return file === undefined ? 0 : readFileSync(file, 'utf8').split('\n').filter(Boolean).length;
    };
    await eventually(() => count() >= lines || child.exitCode !== null, { what: 'so many lines' });
    child.kill('SIGKILL');
    await ended;
    const ran = await place.run('--json');
    expect([ran.status, states(ran)]).toEqual([0, { a: 'answered', b: 'answered', c: 'answered', d: 'answered' }]);
    expect(place.done()).toEqual({ a: 1, b: 1, c: 1, d: 1 });
    expect(await place.sessions()).toEqual(['a', 'b', 'c', 'd'].map((each) => `killed-${lines}-${each}`));
  },
);

function stateFiles(): string[] {
  const folder = join(world.state, 'batches');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

test('killed in the middle of a turn, its sessions keep running, and the next run finds them', async () => {
  const place = new Place('middle');
  place.write({ a: part('a', { gate: 'go' }), b: { ...part('b'), after: 'a' } });
  const { child, ended, output } = place.start();
  await eventually(() => output().includes('a: running as middle-a'), { what: 'a session' });
  child.kill('SIGKILL');
  await ended;
  writeFileSync(place.path('go'), '');
  await world.client.wait({ session: 'middle-a', for: 'ended', timeoutMs: 20_000 });
  // Without its stored state it still finds them, by their keys.
  for (const file of stateFiles().filter((path) => readFileSync(path, 'utf8').includes('"part":"a"')))
    if (!readFileSync(file, 'utf8').includes('"answered"')) rmSync(file);
  const ran = await place.run('--json');
  expect([ran.status, states(ran), place.done()]).toEqual([0, { a: 'answered', b: 'answered' }, { a: 1, b: 1 }]);
  const { createdAtMs, endedAtMs } = (await world.client.show('middle-a')).session;
  expect(JSON.parse(ran.stdout).sessions[0].tookMs).toBe((endedAtMs ?? 0) - createdAtMs);
});

test('two batches at the same time on one file repeat nothing', async () => {
  const place = new Place('twice');
  place.write({ a: part('a'), b: { ...part('b'), after: 'a' }, c: part('c') });
  const both = await Promise.all([place.run('--json'), place.run('--json')]);
  for (const ran of both) expect([ran.status, Object.values(states(ran))]).toEqual([0, Array(3).fill('answered')]);
  expect(place.done()).toEqual({ a: 1, b: 1, c: 1 });
});

test('Ctrl-C leaves the sessions running, starts no more, and says how to continue', async () => {
  const place = new Place('left');
  place.write({ a: part('a', { gate: 'go' }), b: { ...part('b'), after: 'a' } });
  const { child, ended, output } = place.start();
  await eventually(() => output().includes('a: running as left-a'), { what: 'a session' });
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(output()).toMatch(
    /Still running: left-a\n {2}End them: outlast stop left-a\n {2}Continue: outlast batch left.json/,
  );
  writeFileSync(place.path('go'), '');
  await world.client.wait({ session: 'left-a', for: 'ended', timeoutMs: 20_000 });
  expect(await place.sessions()).toEqual(['left-a']);
  expect(await place.run()).toMatchObject({ status: 0 });
  expect(place.done()).toEqual({ a: 1, b: 1 });
});

test('a daemon that dies in the middle does not matter', async () => {
  await using own = await makeWorld();
  const place = new Place('daemon', own);
  place.write({ a: part('a', { gate: 'go' }), b: { ...part('b'), after: 'a' } });
  const { ended, output } = place.start();
  await eventually(() => output().includes('a: running'), { what: 'a session' });
  // The batch itself starts another one.
  await own.kill();
  writeFileSync(place.path('go'), '');
  expect([await ended, place.done()]).toEqual([0, { a: 1, b: 1 }]);
});

test('a failure skips the dependent sessions, and nothing else; the next run tries it again', async () => {
  const place = new Place('fails');
  place.write({
    good: part('good'),
    bad: { ...part('bad'), workspace: 'missing' },
    behind: { prompt: 'After {{bad.reply}}' },
    stopped: part('stopped', { gate: 'never' }),
  });
  const { ended, output } = place.start();
  await eventually(() => output().includes('stopped: running'), { what: 'a session to stop' });
  await world.client.stop({ session: 'fails-stopped', graceMs: 0 });
  expect(await ended).toBe(8);
  expect(output()).toMatch(/outlast: bad failed: cannot enter .*missing: no such file or folder/);
  expect(output()).toContain('outlast: behind was skipped: it depends on bad, which failed');
  expect(output()).toMatch(/outlast: stopped was stopped: stopped by you\n {2}See: outlast report \w+/);
  mkdirSync(place.path('missing'));
  writeFileSync(place.path('never'), '');
  const ran = await place.run('--json');
  expect([ran.status, new Set(Object.values(states(ran)))]).toEqual([0, new Set(['answered'])]);
  expect(place.done()).toEqual({ good: 1, stopped: 1 });
  expect((JSON.parse(ran.stdout).sessions as { tries: number }[]).map(({ tries }) => tries)).toEqual([1, 2, 1, 2]);
});

test('a change of the file repeats what it changes; --again repeats everything', async () => {
  const place = new Place('changed');
  const write = (reply: string): void =>
    place.write({ a: part('a', { reply }), b: { ...part('b'), after: 'a' }, c: part('c') });
  write('one');
  expect(await place.run()).toMatchObject({ status: 0 });
  write('two');
  const dry = await place.run('--dry-run', '--json');
  expect([dry.status, states(dry)]).toEqual([0, { a: 'waiting', b: 'waiting', c: 'answered' }]);
  expect(place.done()).toEqual({ a: 1, b: 1, c: 1 });
  expect(await place.run()).toMatchObject({ status: 0 });
  expect(place.done()).toEqual({ a: 2, b: 2, c: 1 });
  expect(await place.run('--again')).toMatchObject({ status: 0 });
  expect(place.done()).toEqual({ a: 3, b: 3, c: 2 });
  await world.cli(['remove', 'changed-c']);
  const ran = await place.run('--json');
  expect([states(ran), place.done()]).toEqual([
    { a: 'answered', b: 'answered', c: 'answered' },
    { a: 3, b: 3, c: 2 },
  ]);
});

test('on a terminal there is a table that is redrawn', async () => {
  const place = new Place('table');
  place.write({ a: part('a', { gate: 'go' }), b: { ...part('b'), after: 'a' } });
  const shell = `OUTLAST_STATE='${world.state}' '${process.execPath}' '${BIN}' batch table.json`;
  const session = await world.client.start({ shell, cwd: place.folder, terminal: 'pty' });
  const rows = async (): Promise<string> => (await session.screen()).rows.join('\n');
  await eventually(async () => /^a +(working|starting|opening).*\nb +waiting/m.test(await rows()), { what: 'a table' });
  await eventually(async () => /^1 running, 1 waiting;/m.test(await rows()), { what: 'a sum' });
  writeFileSync(place.path('go'), '');
  const { session: ended } = await session.wait({ timeoutMs: 20_000 });
  expect(ended.exit?.status).toBe(0);
  const last = await rows();
  expect(last.match(/^NAME /gm)).toHaveLength(1);
  expect(last.match(/^outlast: warning: /gm)).toHaveLength(1);
  expect(last).toMatch(/^b +answered .*\n2 answered; 2 turns/m);
});

test.each([
  [['batch'], 'missing argument'],
  [['batch', 'nothing.yaml'], 'batch: cannot read nothing.yaml: no such file or folder (ENOENT)'],
  [['batch', 'x.yaml', '--concurrency', '0'], '--concurrency: "0" is not a number from 1 to 100'],
  [['batch', 'x.yaml', '--again', '--dry-run'], 'batch: choose one of --again and --dry-run'],
])('%j is refused', async (words, output) => {
  const place = new Place('refused');
  writeFileSync(place.path('x.yaml'), 'sessions: { a: { prompt: x } }\n');
  const ran = await world.cli(words, { cwd: place.folder });
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(output)]);
});

test('a part that needs a person delays only the parts that depend on it', async () => {
  // A login failure would hold every other session.
  await using own = await makeWorld();
  const place = new Place('held', own);
  const steps = [{ status: 401 }];
  place.write({
    login: { prompt: `Hi. SCRIPT${JSON.stringify({ steps })}SCRIPT` },
    behind: { prompt: 'x', after: 'login' },
  });
  const ran = await place.run();
  expect(ran.stdout).toMatch(/^login +held .*\nbehind +waiting /m);
  expect(ran.stderr).toMatch(/login needs a person: .*\n {2}Continue: outlast \w+ held-login\n {2}Then: outlast batch/);
  expect(ran.status).toBe(7);
});

/** Starts a batch in which one part waits for a person while another runs until `go` exists. */
async function startWithHeldPart(place: Place) {
  const steps = [{ status: 401, times: 1 }, { text: 'thanks' }];
  place.write({
    slow: part('slow', { gate: 'go' }),
    login: { prompt: `Hi. SCRIPT${JSON.stringify({ steps })}SCRIPT` },
  });
  const batch = place.start();
  const { output } = batch;
  await eventually(() => output().includes('slow: running') && output().includes('login: held'), {
    what: 'a held session',
  });
  return batch;
}

test('a held part whose session is removed counts as stopped, and the next run starts it again', async () => {
  await using own = await makeWorld();
  const place = new Place('removed', own);
  const { ended, output } = await startWithHeldPart(place);
  await own.client.remove({ session: 'removed-login', stop: true });
  writeFileSync(place.path('go'), '');
  expect([await ended, output()]).toEqual([4, expect.stringContaining('login was stopped: its session was removed')]);
  expect(await states(await place.run('--json'))).toMatchObject({ slow: 'answered', login: 'held' });
});

test('a held part that a person helped is checked again before the batch ends', async () => {
  await using own = await makeWorld();
  const place = new Place('helped', own);
  const { ended, output } = await startWithHeldPart(place);
  await own.client.resume({ session: 'helped-login' });
  await own.client.wait({ session: 'helped-login', for: 'ended', timeoutMs: 20_000 });
  writeFileSync(place.path('go'), '');
  expect([await ended, output()]).toEqual([0, expect.stringContaining('login: answered')]);
});
