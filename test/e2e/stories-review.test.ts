import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, gatedWorld, type Person, person } from './gated.ts';

// A person at a terminal: what is shown, and what each key does.

const world = await gatedWorld();
afterAll(() => world[Symbol.asyncDispose]());

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const CHOICE = '[q]uit? ';

class Terminal implements AsyncDisposable {
  readonly #pty: IPty;
  #text = '';
  #from = 0;
  readonly ended: Promise<number>;

  constructor({ home, workspace }: Person, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const all = { ...world.env, HOME: home, USER: 'rae', TERM: 'xterm', NO_COLOR: '1', ...env } as Record<
      string,
      string
    >;
    const options = { cols: 120, rows: 40, cwd: workspace, env: all };
    this.#pty = spawn(process.execPath, [BIN, 'approvals', '--review', ...words], options);
    this.#pty.onData((data) => {
      this.#text += data;
    });
    this.ended = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  /** Waits until this is shown after what was waited for before, and returns the text up to there. */
  async shows(text: string): Promise<string> {
    const at = Number(
      await eventually(() => this.#text.indexOf(text, this.#from) + 1, { what: `"${text}" in ${this.#text}` }),
    );
    const seen = this.#text.slice(this.#from, at - 1 + text.length);
    this.#from = at - 1 + text.length;
    return seen;
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pty.kill('SIGKILL');
    await this.ended;
  }
}

test('each approval is shown and decided with a key', async () => {
  const rae = person(world, 'rae');
  const id = await rae.start([bash('echo 1 > one'), bash('echo 2 > two'), bash('echo 3 > three')], '--gate');
  await rae.pendingApproval(id);
  await using terminal = new Terminal(rae, [id]);
  const first = await terminal.shows(CHOICE);
  expect(first).toContain('echo 1 > one');
  expect(first).not.toContain('No pending approvals');
  terminal.press('y');
  expect(await terminal.shows(CHOICE)).toContain('echo 2 > two');
  expect(rae.file('one')).toBe('1\n');
  expect(rae.file('two')).toBeNull();
  terminal.press('x\x1b[A');
  terminal.press('n');
  await terminal.shows('Why?');
  terminal.press('not now\r');
  expect(await terminal.shows(CHOICE)).toContain('echo 3 > three');
  terminal.press('q');
  expect(await terminal.ended).toBe(0);
  expect((await rae.pendingApproval(id)).tool).toBe('Bash');
  await rae.cli(['deny', id]);
  await rae.waitForEnd(id);
  expect(rae.file('two')).toBeNull();
  expect((await rae.cli(['audit', '--session', id])).stdout).toMatch(/denied Bash \w+ by rae: not now/);
});

test('a call is edited by the person, made a rule, skipped, or settled before it is decided', async () => {
  const sue = person(world, 'sue');
  const steps = [bash('echo asked > out'), bash('echo kept'), bash('echo kept'), bash('echo skipped')];
  const id = await sue.start(steps, '--gate');
  await using terminal = new Terminal(sue, [id], { EDITOR: 'sed -i s/asked/changed/' });
  await terminal.shows(CHOICE);
  terminal.press('e');
  expect(await terminal.shows(CHOICE)).toContain('echo kept');
  expect(sue.file('out')).toBe('changed\n');
  terminal.press('s');
  expect(await terminal.shows(CHOICE)).toContain('echo skipped');
  terminal.press('k');
  await terminal.shows('No pending approvals');
  expect((await sue.cli(['deny', id])).status).toBe(0);
  await sue.waitForEnd(id);
  expect(await terminal.ended).toBe(0);
});

test('an approval that is decided elsewhere leaves the screen', async () => {
  const tim = person(world, 'tim');
  const id = await tim.start([bash('echo x')], '--gate');
  await using terminal = new Terminal(tim, [id]);
  await terminal.shows(CHOICE);
  const { id: question } = await tim.pendingApproval(id);
  await tim.cli(['deny', id, '--by', 'boss']);
  await terminal.shows(`${question} was denied by boss.`);
  await tim.waitForEnd(id);
  expect(await terminal.ended).toBe(0);
});

test('a key that is pressed twice decides one approval: the next one was not on the screen yet', async () => {
  await using other = await gatedWorld();
  const vic = person(other, 'vic');
  const sessions = [
    await vic.start([bash('echo 1 > one')], '--gate'),
    await vic.start([bash('echo 2 > two')], '--gate'),
  ];
  for (const id of sessions) await vic.pendingApproval(id);
  await using terminal = new Terminal(vic, [], other.env);
  expect(await terminal.shows(CHOICE)).toContain('echo 1 > one');
  terminal.press('yyy');
  expect(await terminal.shows(CHOICE)).toContain('echo 2 > two');
  await vic.waitForEnd(sessions[0] ?? '');
  expect([vic.file('one'), vic.file('two')]).toEqual(['1\n', null]);
  terminal.press('y');
  await vic.waitForEnd(sessions[1] ?? '');
  expect(vic.file('two')).toBe('2\n');
});

test('without a terminal there is nothing to review', async () => {
  const { status, stderr } = await person(world, 'uma').cli(['approvals', '--review']);
  expect([status, stderr]).toEqual([2, 'outlast: approvals: --review needs a terminal\n']);
});
