import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { NAMES } from './migrate-names.ts';
import { PageWorld, pageOf } from './page-world.ts';

// Every command in the migration guides is run here, line by line, in a suitable world.

interface Row {
  readonly section: string;
  readonly before: string;
  readonly command: string;
  readonly status: number;
}

const PAGES = ['tmux-wrapper', 'openclaw', 'session-driver', 'boot-resume'];
const GUIDE = PAGES.map((name) => pageOf(`docs/guides/migrate-${name}.md`)).join('\n');

/** The cells of every table below a heading; the first row is its head. */
function tables(): { section: string; rows: string[][] }[] {
  return GUIDE.split(/^#+ /m).flatMap((part) => {
    const section = part.split('\n')[0] ?? '';
    return [...part.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => ({
      section,
      rows: table
        .trimEnd()
        .split('\n')
        .filter((line) => !/^\| --- /.test(line))
        .map((line) =>
          line
            .slice(1, -1)
            .split(/(?<!\\)\|/)
            .map((cell) => cell.trim().replaceAll('\\|', '|')),
        ),
    }));
  });
}

/** Every command of a column called `now`. */
function commands(): Row[] {
  return tables().flatMap(({ section, rows: [head = [], ...rows] }) => {
    const column = head.indexOf('now');
    return rows.flatMap((cells) => {
      const lines = [...(cells[column] ?? '').matchAll(/`(outlast [^`]+)`/g)].map(([, line]) => line ?? '');
      const status = Number(/\(status (\d+)\)/.exec(cells.at(-1) ?? '')?.[1] ?? 0);
      return lines.map((command) => ({ section, before: cells[0] ?? '', command, status }));
    });
  });
}

const world = new PageWorld();
const { work } = world;

beforeAll(async () => {
  writeFileSync(join(work, 'prompt.md'), 'Fix the tests.\n');
  await world.start();
});

afterAll(() => world[Symbol.asyncDispose]());

const { client } = world;
let asked = 0;
let boss = '';
const base = { cwd: work, env: world.env as Record<string, string> };

/** An agent session that has ended: its reply comes a little before. */
async function endedAgent(name: string): Promise<void> {
  const session = await client.start({ ...base, agent: 'scripted', name, prompt: 'hello', keepOpen: false });
  await session.wait();
}

/** The sessions that the examples mention, each created when it is missing. */
const CAST: Readonly<Record<string, { live: boolean; make: () => Promise<unknown> }>> = {
  api: {
    live: true,
    make: async () => {
      const session = await client.start({ ...base, agent: 'scripted', drive: 'live', terminal: 'pty', name: 'api' });
      await session.converse('hello');
    },
  },
  build: {
    live: true,
    make: () => client.start({ ...base, shell: 'echo built; exec cat', terminal: 'pty', name: 'build', stdin: 'open' }),
  },
  boss: {
    live: true,
    make: async () => {
      const spawn = { childrenMax: 100 };
      boss = (await client.start({ ...base, agent: 'scripted', name: 'boss', prompt: 'hello', spawn })).id;
    },
  },
  old: { live: false, make: async () => (await client.start({ ...base, argv: ['true'], name: 'old' })).wait() },
  'old-agent': { live: false, make: () => endedAgent('old-agent') },
  'fix-tests': { live: false, make: () => endedAgent('fix-tests') },
  asker: {
    live: true,
    make: async () => {
      // A different call each time: an answer may have become a rule.
      asked += 1;
      const steps = [{ tool: 'Bash', input: { command: `touch asked-${asked}`, description: 'x' } }, { text: 'fine' }];
      const prompt = `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;
      const gate = { mode: 'gate' as const };
      const session = await client.start({ ...base, agent: 'scripted', name: 'asker', gate, keepOpen: false, prompt });
      await session.wait({ for: 'approval', timeoutMs: 20_000 });
    },
  },
};

/** Prepares the world for an example: the sessions it mentions exist, and those it starts do not. */
async function setUp(command: string): Promise<void> {
  const { sessions } = await client.list({ limit: 1_000 });
  for (const { id, name, outcome } of sessions)
    if (outcome === null && (name === 'worker' || name === 'child')) await client.stop({ session: id, graceMs: 0 });
  for (const [name, { live, make }] of Object.entries(CAST)) {
    if (!new RegExp(`\\b${name}\\b`).test(command) && !(name === 'boss' && isInside(command))) continue;
    const found = sessions.find((each) => each.name === name);
    const fits = found !== undefined && (found.outcome === null) === live && (name !== 'asker' || found.approvals > 0);
    if (name === 'asker' && found !== undefined && !fits) await client.wait({ session: found.id, timeoutMs: 20_000 });
    // A session that a command of the guide has left running, where the next one needs it to have ended.
    if (!fits && found?.outcome === null) await client.stop({ session: found.id, graceMs: 0 });
    if (!fits) await make();
    if (name === 'api' && fits) await client.handoff({ session: 'api', back: true }).catch(() => {});
    if (name === 'api') await eventually(async () => (await client.show('api')).session.phase === 'idle');
  }
}

/** A command for agents inside a session: it passes the marker itself. */
function isInside(command: string): boolean {
  return /^outlast (spawn|list --mine)/.test(command);
}

/** A command that cannot be run as it is, is run in the nearest form. */
function runnable({ command, status }: Row): { line: string; statuses: number[] } {
  if (isInside(command)) return { line: `OUTLAST_RUN=${boss}.99 ${command}`, statuses: [status] };
  if (command.startsWith('outlast attach')) return { line: `${command} --help`, statuses: [0] };
  if (command.includes('--follow')) return { line: `timeout -s INT 1 ${command}`, statuses: [124] };
  // Its status depends on what this machine lacks.
  if (command === 'outlast doctor') return { line: command, statuses: [0, 1] };
  if (command.startsWith('outlast service')) return { line: `${command} --with systemd`, statuses: [0] };
  return { line: command, statuses: [status] };
}

const rows = commands();

// Every fourth one in each run: they are many, and much alike.
test.each(some(rows, 4))('$section: $command', async (row) => {
  await setUp(row.command);
  const { line, statuses } = runnable(row);
  const ran = await world.sh(line);
  expect(statuses, `${line} ended with ${ran.status}\n${ran.stdout}${ran.stderr}`).toContain(ran.status);
});

test('the guide has a command for most of what it maps', () => {
  expect(rows.length).toBeGreaterThan(120);
});

test.each(Object.entries(NAMES))('everything in %s is mapped', (_, names) => {
  const left = tables()
    .flatMap(({ rows: [, ...cells] }) => cells.map(([first = '', second = '']) => `${first} ${second}`))
    .join('\n');
  expect(names.filter((name) => !left.includes(name))).toEqual([]);
});

test('the events and states that the guide names exist', () => {
  const events = pageOf('docs/events.md');
  const shapes = pageOf('docs/api.md');
  const [eventRows, stateRows] = tables()
    .filter(({ section }) => section === 'Events, states and files')
    .map(({ rows: [, ...cells] }) => cells.map(([, now = '']) => now.replaceAll('`', '')));
  expect(eventRows?.filter((name) => !events.includes(`### ${name}\n`))).toEqual([]);
  expect(stateRows?.filter((name) => !shapes.includes(name))).toEqual([]);
});

test('the settings that the guide names are in the config', () => {
  const config = pageOf('docs/config.md');
  const settings = tables().flatMap(({ rows: [head = [], ...cells] }) => {
    const column = head.indexOf('now');
    return column < 0
      ? []
      : cells.flatMap((row) => [...(row[column] ?? '').matchAll(/`([a-z]+(?:\.\w+)+|outputBytesMax)`/g)]);
  });
  const names = settings.map(([, name = '']) => name).filter((name) => /^(policy|retention|boot|output)/.test(name));
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !config.includes(`| \`${name}\` |`))).toEqual([]);
});

test('the notice of the guide notifies OpenClaw of an end, once', async () => {
  const config = JSON.parse(/^```json\n([\s\S]*?)^```/m.exec(GUIDE)?.[1] ?? '');
  await using notified = new World({ config });
  const bin = join(notified.state, 'bin');
  const received = join(notified.state, 'heard');
  mkdirSync(bin);
  writeFileSync(join(bin, 'openclaw'), `#!/bin/sh\nfor word; do echo "$word" >> '${received}'; done\n`, {
    mode: 0o755,
  });
  notified.env.PATH = `${bin}:${notified.env.PATH}`;
  await notified.start();
  const ran = await notified.cli(['exec', '--background', '--name', 'told', '--', 'echo', 'it is built']);
  expect(ran.status).toBe(0);
  await eventually(() => existsSync(received) && readFileSync(received, 'utf8').includes('it is built'), {
    what: 'a notice',
  });
  const words = readFileSync(received, 'utf8').split('\n');
  const key = ['--session-key', 'agent:main:main'];
  expect(words.slice(0, 7)).toEqual(['system', 'event', '--mode', 'now', ...key, '--text']);
  expect(words.filter((word) => word === 'system')).toHaveLength(1);
});
