import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseYaml } from '../../src/cli/batch/yaml.ts';
import { findCommand } from '../../src/cli/table.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { some } from '../campaign.ts';
import { PageWorld, pageOf as textOf } from './page-world.ts';
import { shell, storyOf } from './spawning.ts';

// The commands in the skill and the slash commands exist, and run.

const ROOT = join(import.meta.dirname, '../..');
const COMMANDS = readdirSync(join(ROOT, 'commands')).map((name) => `commands/${name}`);
const PAGES = ['skills/outlast/SKILL.md', ...COMMANDS];
const SKILL = textOf('skills/outlast/SKILL.md');

/** Commands for agents inside a session. */
const INSIDE = 'If you run inside a session';

const world = new PageWorld();

beforeAll(() => world.start());

afterAll(() => world[Symbol.asyncDispose]());

const headOf = (text: string): Record<string, string> =>
  parseYaml(/^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? '').value as Record<string, string>;

/** Command lines in the text, also those that Claude Code runs before it shows a command. */
function linesIn(path: string): string[] {
  const prose = textOf(path).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`outlast ([^`]+)`/g)].map(([, line]) => line ?? '');
}

interface Block {
  readonly section: string;
  readonly script: string;
}

/** The shell blocks of the skill, with their headings. */
function blocksIn(page: string): Block[] {
  return page.split(/^## /m).flatMap((part) => {
    const section = part.split('\n')[0] ?? '';
    return [...part.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, script = '']) => ({ section, script }));
  });
}

test('the skill has the form of an Agent Skill', () => {
  const { name, description, license, ...rest } = headOf(SKILL);
  expect([name, license, Object.keys(rest)]).toEqual(['outlast', 'MIT', ['compatibility']]);
  // Its name is that of its folder; letters, digits and single hyphens.
  expect(PAGES[0]).toBe(`skills/${name}/SKILL.md`);
  expect(name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(description).toMatch(/^[^<>]+$/);
  expect(description?.length).toBeLessThanOrEqual(1024);
  expect(rest.compatibility?.length).toBeLessThanOrEqual(500);
  expect(SKILL.split('\n').length).toBeLessThan(500);
});

test('the plugin is of this version, starts our server, and is in the package', () => {
  const plugin = JSON.parse(textOf('.claude-plugin/plugin.json'));
  const { version, files, name } = JSON.parse(textOf('package.json'));
  expect([plugin.name, plugin.version]).toEqual([name, version]);
  expect(plugin.mcpServers).toEqual({ outlast: { command: 'outlast', args: ['mcp'] } });
  expect(files).toEqual(expect.arrayContaining(['.claude-plugin', 'commands', 'skills']));
  const { name: shop, plugins } = JSON.parse(textOf('.claude-plugin/marketplace.json'));
  expect([shop, plugins]).toEqual([name, [{ name, source: './', description: plugin.description }]]);
});

test.each(COMMANDS)('%s has a head that says what it is for, and what it may run', (path) => {
  const { description = '', ...rest } = headOf(textOf(path));
  expect(description.length).toBeGreaterThan(20);
  expect(description.length).toBeLessThan(120);
  for (const [key, value] of Object.entries(rest)) {
    expect(['argument-hint', 'allowed-tools']).toContain(key);
    if (key === 'allowed-tools') expect(value).toMatch(/^Bash\(outlast [^)]*:\*\)(, Bash\(outlast [^)]*:\*\))*$/);
  }
  expect(textOf(path).includes('$ARGUMENTS')).toBe('argument-hint' in rest);
});

test('every block of the skill runs, one after the other', async () => {
  const blocks = blocksIn(SKILL).filter(({ section }) => section !== INSIDE);
  expect(blocks.length).toBeGreaterThanOrEqual(10);
  const printed: string[] = [];
  for (const { script } of blocks) {
    const ran = await world.sh(script);
    expect([script, ran.status], ran.stderr).toEqual([script, 0]);
    printed.push(ran.stdout);
  }
  const all = printed.join('');
  for (const reply of [
    'Review src/api for races. Change nothing.',
    'Do this: You said: Make a plan.',
    'Now make it pass.',
  ])
    expect(all).toContain(`You said: ${reply}`);
  expect(all).toContain('built');
});

test('the commands of the skill for agents inside a session work there, and start a turn by an update', async () => {
  const [block, ...others] = blocksIn(SKILL).filter(({ section }) => section === INSIDE);
  expect(others).toEqual([]);
  const prompt = storyOf([shell(`set -eu; ${block?.script}`), { text: 'both are on their way' }]);
  const input = { agent: 'scripted', name: 'leader', cwd: world.work, env: world.env as Record<string, string> };
  const leader = await world.client.start({ ...input, prompt });
  const urgent = new Set<string>();
  const updates = { session: leader.id, types: ['update.queued'], follow: true };
  for await (const { body } of world.client.events(updates, AbortSignal.timeout(30_000))) {
    const { text, isUrgent } = body.update as { text: string; isUrgent: boolean };
    // Urgent: it starts a turn, instead of coming with the next prompt.
    if (isUrgent) urgent.add(/\(([\w-]+)\)/.exec(text)?.[1] ?? '');
    if (urgent.size === 2) break;
  }
  expect([...urgent].sort()).toEqual(['build-web', 'tests']);
  await leader.stop();
});

test.each(some(PAGES, 2))('every command that %s names exists and runs', async (path) => {
  const lines = linesIn(path);
  const known = lines.map((line) => findCommand(line.split(' '))?.name ?? `none: ${line}`);
  expect(known.filter((name) => name.startsWith('none'))).toEqual([]);
  expect(known.length).toBeGreaterThan(0);
  for (const name of new Set(known)) {
    const ran = await world.cli([...name.split(' '), '--help']);
    expect([name, ran.status, ran.stdout]).toEqual([name, 0, expect.stringContaining(`Usage: outlast ${name}`)]);
  }
});

test('every tool that is named exists', () => {
  const tools = new Set(TOOLS.map(({ name }) => name));
  const named = PAGES.flatMap((path) => [...textOf(path).matchAll(/`((?:session|approval|boot)_[a-z]+)`/g)]);
  expect(named.length).toBeGreaterThan(3);
  expect(named.map(([, name = '']) => name).filter((name) => !tools.has(name))).toEqual([]);
});

test('what a slash command runs before it is shown is allowed, runs, and changes nothing', async () => {
  const run = COMMANDS.flatMap((path) => {
    const allowed = headOf(textOf(path))['allowed-tools'] ?? '';
    return [...textOf(path).matchAll(/^!`([^`]+)`$/gm)].map(([, line = '']) => ({ path, line, allowed }));
  });
  expect(run.map(({ line }) => line).sort()).toEqual([
    'outlast approvals',
    'outlast boot --dry-run',
    'outlast list --live --limit 50',
  ]);
  for (const { path, line, allowed } of run) {
    const isAllowed = [...allowed.matchAll(/Bash\(([^)]+):\*\)/g)].some(([, words = '']) => line.startsWith(words));
    const ran = await world.sh(line);
    expect([path, isAllowed, ran.status], ran.stderr).toEqual([path, true, 0]);
  }
});

test('no slash command may decide, resume or stop something without asking the person', () => {
  const allowed = COMMANDS.map((path) => headOf(textOf(path))['allowed-tools'] ?? '').join(' ');
  expect(allowed).not.toMatch(/outlast (approve|deny|stop|remove|boot --resume|boot:)/);
});
