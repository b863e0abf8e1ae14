import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { deepCases } from '../campaign.ts';
import { NEWEST } from './newest.ts';
import { type Line, linesOf, toolResults } from './printed.ts';

// The plugin of this repository in a real Claude Code, which starts real agents.

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/outlast.cjs');

/** Installs `outlast` on the PATH of the stage. `lateS`: a delay before it starts, as on a busy machine. */
function install(stage: Stage, lateS = 0): void {
  const { OUTLAST_STATE, OUTLAST_CONFIG } = stage.world.env;
  const set = `OUTLAST_STATE='${OUTLAST_STATE}' OUTLAST_CONFIG='${OUTLAST_CONFIG}'`;
  const path = join(stage.root, 'bin/outlast');
  writeFileSync(path, `#!/bin/sh\nsleep ${lateS}\n${set} exec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(path, 0o755);
}

/** Runs `claude plugin` and returns its output. */
function plugin(stage: Stage, ...words: string[]): string {
  const options = { env: stage.env, cwd: stage.workspace, encoding: 'utf8' } as const;
  return execFileSync(join(stage.root, 'bin/claude'), ['plugin', ...words], options);
}

const commands = (): string[] =>
  readdirSync(join(ROOT, 'commands')).map((name) => `outlast:${name.replace('.md', '')}`);

/** Runs one turn of a Claude Code with the plugin; returns its output, line by line. */
function turn(stage: Stage, prompt: string, server = ['--plugin-dir', ROOT]): Promise<Line[]> {
  const args = ['-p', ...server, '--output-format', 'stream-json', '--verbose'];
  const mode = ['--model', 'claude-sonnet-4-6', '--permission-mode', 'bypassPermissions'];
  const child = spawn(join(stage.root, 'bin/claude'), [...args, ...mode], {
    cwd: stage.workspace,
    env: stage.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.end(prompt);
  return new Promise((resolve, reject) =>
    child.on('close', (status) => {
      if (status === 0) resolve(linesOf(out));
      else reject(new Error(`claude exited with ${status}: ${err}\n${out}`));
    }),
  );
}

const call = (name: string, input: object): object => ({ tool: `mcp__plugin_outlast_outlast__${name}`, input });
const script = (...steps: object[]): string => `SCRIPT${JSON.stringify({ steps })}SCRIPT`;
/** A script inside a script, encoded so that the model finds only the outer one. */
const inner = (...steps: object[]): string => script(...steps).replaceAll('SCRIPT', 'INNER');
const nested = (text: string): string => text.replaceAll('INNER', 'SCRIP\\u0054');

test.each(NEWEST)('Claude Code %s loads the plugin: its server, its commands and its skill', async (version) => {
  await using stage = await openStage(claudeOf(version));
  install(stage);
  for (const what of ['plugin.json', 'marketplace.json'])
    expect(plugin(stage, 'validate', '--strict', join(ROOT, '.claude-plugin', what))).toContain('Validation passed');
  const lines = await turn(stage, 'hello');
  const init = lines.find(({ subtype }) => subtype === 'init') ?? {};
  const server = { name: 'plugin:outlast:outlast', status: expect.stringMatching(/^(connected|pending)$/) };
  expect(init.mcp_servers).toEqual([expect.objectContaining(server)]);
  expect(init.slash_commands).toEqual(expect.arrayContaining(commands()));
  expect(init.skills).toContain('outlast:outlast');
});

test.each(deepCases('installs the plugin permanently, from the folder of the package', NEWEST))(
  'Claude Code %s installs the plugin permanently, from the folder of the package',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    install(stage);
    const folder = join(stage.root, 'package');
    for (const part of ['.claude-plugin', 'commands', 'skills'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    plugin(stage, 'marketplace', 'add', folder);
    plugin(stage, 'install', 'outlast@outlast');
    const lines = await turn(stage, script(call('session_list', {}), { text: 'seen' }), []);
    const init = lines.find(({ subtype }) => subtype === 'init') ?? {};
    expect(init.slash_commands).toEqual(expect.arrayContaining(commands()));
    expect(init.skills).toContain('outlast:outlast');
    expect(toolResults(lines)).toEqual(['No sessions.']);
  },
);

test.each(NEWEST)('Claude Code %s can call a tool by name while the server still starts', async (version) => {
  await using stage = await openStage(claudeOf(version));
  install(stage, 4);
  const lines = await turn(stage, script(call('session_list', {}), { text: 'seen' }));
  const init = lines.find(({ subtype }) => subtype === 'init') ?? {};
  expect(init.mcp_servers).toEqual([expect.objectContaining({ status: 'pending' })]);
  expect(toolResults(lines)).toEqual(['No sessions.']);
  expect(stage.model?.requests()[0]?.tools).toContain('ToolSearch');
});

test.each(deepCases('shows tools that are always loaded to its model at once', NEWEST))(
  'Claude Code %s shows tools that are always loaded to its model at once',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    install(stage, 1);
    const page = readFileSync(join(ROOT, 'docs/guides/mcp.md'), 'utf8');
    const file = join(stage.root, 'mcp.json');
    writeFileSync(file, /^```json\n(.*alwaysLoad.*)\n```$/m.exec(page)?.[1] ?? '');
    await turn(stage, 'hello', ['--mcp-config', file]);
    const first = stage.model?.requests().find(({ tools }) => tools.length > 0);
    expect(first?.tools).toEqual(expect.arrayContaining(['mcp__outlast__exec', 'mcp__outlast__session_start']));
  },
);

test.each(deepCases('delegates to another Claude Code and reads its turn', NEWEST))(
  'Claude Code %s delegates to another Claude Code and reads its turn',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    install(stage);
    const bash = { tool: 'Bash', input: { command: 'echo made > made-by-it', description: 'x' } };
    const work = inner(bash, { text: 'it is made' });
    const story = script(
      call('session_start', { name: 'helper', keepOpen: false, prompt: `Make it. ${work}` }),
      call('session_wait', { session: 'helper', for: 'reply', timeoutMs: 60_000 }),
      call('session_turn', { session: 'helper' }),
      { text: 'all done' },
    );
    const lines = await turn(stage, `/outlast:delegate Make the file. ${nested(story)}`);
    const [started, reply, read] = toolResults(lines);
    expect(started).toContain('(helper).');
    expect(reply).toMatch(/<data from="helper" mark="\w+">\nit is made\n/);
    expect(read).toMatch(/Turn 1 of 1\.\n[\s\S]*echo made > made-by-it/);
    expect(lines.find(({ type }) => type === 'result')?.result).toBe('all done');
    // The other one works in the same workspace.
    expect(existsSync(join(stage.workspace, 'made-by-it'))).toBe(true);
    const { sessions } = await stage.world.client.list({ limit: 10 });
    expect(sessions).toMatchObject([{ name: 'helper', agent: 'claude', outcome: { kind: 'done' } }]);
    const prompts = stage.model?.requests().map(({ prompt }) => prompt) ?? [];
    expect(prompts[0]).toContain('Delegate this to another coding agent');
  },
);

test.each(NEWEST)(
  'Claude Code %s shows its model pending approvals, live sessions and interrupted conversations',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    install(stage);
    await stage.cli(['start', '--live', '--name', 'waiting', '--ready', '60s']);
    for (const name of ['approvals', 'boot-resume', 'sessions']) await turn(stage, `/outlast:${name}`);
    const prompts = (stage.model?.requests().map(({ prompt }) => prompt) ?? []).filter((prompt) =>
      prompt.includes('outlast:'),
    );
    expect(prompts).toEqual([
      expect.stringMatching(/Pending approvals:\n\nNo pending approvals/),
      expect.stringMatching(/this machine stopped:\n\n[\s\S]*0 of \d+ conversations were interrupted/),
      expect.stringMatching(/Live sessions:\n\nSESSION[\s\S]*waiting /),
    ]);
  },
);

test.each(deepCases('does what the skill says with the command line alone', NEWEST))(
  'Claude Code %s does what the skill says with the command line alone',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    install(stage);
    const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
    const steps = [
      bash('echo "Say hello." > prompt.md; outlast run --name by-skill --prompt-file prompt.md --deadline 2h'),
      bash('outlast turn by-skill'),
      { text: 'all done' },
    ];
    const story = script({ tool: 'Skill', input: { skill: 'outlast:outlast', args: inner(...steps) } });
    const lines = await turn(stage, `Use the skill. ${nested(story)}`);
    const [, ran, read] = toolResults(lines);
    expect(ran).toContain('You said: Say hello.');
    expect(read).toMatch(/Say hello\.[\s\S]*You said: Say hello\./);
    const prompts = stage.model?.requests().map(({ prompt }) => prompt) ?? [];
    expect(prompts.some((prompt) => prompt.includes('A **session** is one conversation of a coding agent'))).toBe(true);
  },
);
