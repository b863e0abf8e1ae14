import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseYaml } from '../../src/cli/batch/yaml.ts';
import { findCommand } from '../../src/cli/table.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { type Ran, World } from '../world.ts';

// What the skill and the slash commands tell agents to run is there, and runs.

const ROOT = join(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const COMMANDS = readdirSync(join(ROOT, 'commands')).map((name) => `commands/${name}`);
const PAGES = ['skills/outlast/SKILL.md', ...COMMANDS];
const SKILL = textOf('skills/outlast/SKILL.md');

let world: World;

beforeAll(async () => {
  world = new World({ config: { agent: 'scripted' } });
  // Nobody's own conversations: they would be looked at.
  Object.assign(world.env, { HOME: world.state, CLAUDE_CONFIG_DIR: world.state, OPENCLAW_STATE_DIR: world.state });
  await world.start();
  const bin = join(world.state, 'bin/outlast');
  mkdirSync(join(world.state, 'bin'));
  mkdirSync(join(world.state, 'work'));
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/outlast.cjs')}" "$@"\n`);
  chmodSync(bin, 0o755);
});

afterAll(() => world[Symbol.asyncDispose]());

function sh(script: string): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...world.env, PATH: `${join(world.state, 'bin')}:${world.env.PATH}` };
    const cwd = join(world.state, 'work');
    const child = spawn('sh', ['-eu', '-c', script], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString();
    });
    child.on('close', (status) => resolve({ status, ...said }));
  });
}

const headOf = (text: string): Record<string, string> =>
  parseYaml(/^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? '').value as Record<string, string>;

/** Command lines of the running text, also those that Claude Code runs before it shows a command. */
function linesIn(path: string): string[] {
  const prose = textOf(path).replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`outlast ([^`]+)`/g)].map(([, line]) => line ?? '');
}

test('the skill has the form of an Agent Skill', () => {
  const { name, description, license, ...rest } = headOf(SKILL);
  expect([name, license, Object.keys(rest)]).toEqual(['outlast', 'MIT', ['compatibility']]);
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
  expect(COMMANDS.every((path) => (headOf(textOf(path)).description ?? '').length > 20)).toBe(true);
});

test('every block of the skill runs, one after the other', async () => {
  const blocks = [...SKILL.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '');
  expect(blocks.length).toBeGreaterThanOrEqual(9);
  const printed: string[] = [];
  for (const block of blocks) {
    const ran = await sh(block);
    expect([block, ran.status], ran.stderr).toEqual([block, 0]);
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

test.each(PAGES)('every command that %s names exists and runs', async (path) => {
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
    const ran = await sh(line);
    expect([path, isAllowed, ran.status], ran.stderr).toEqual([path, true, 0]);
  }
});

test('no slash command may decide, resume or stop something without the person being asked', () => {
  const allowed = COMMANDS.map((path) => headOf(textOf(path))['allowed-tools'] ?? '').join(' ');
  expect(allowed).not.toMatch(/outlast (approve|deny|stop|remove|boot --resume|boot:)/);
});
