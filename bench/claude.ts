// What driving a real agent costs on top of the agent itself, against a scripted model server on loopback.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookCommand } from '../src/terminal/hook-command.ts';
import { NEWEST_CLAUDE } from '../test/agents/under-test/claude.ts';
import { environment, installAgent } from '../test/agents/under-test/claude-home.ts';
import { startModelServer } from '../test/e2e-real/model-server.ts';
import { eventually } from '../test/eventually.ts';
import { makeWorld, type World } from '../test/world.ts';
import { ms, percentile, report, timeMs, times } from './measure.ts';

const MANY = 20;
/** The turn that every session runs: one tool call and a reply. */
const STORY = `go SCRIPT${JSON.stringify({
  steps: [{ tool: 'Bash', input: { command: 'echo hi', description: 'x' } }, { text: 'done' }],
})}SCRIPT`;

/** Prompt to accepted, Stop to reply, one hook, and twenty sessions at once. */
export async function claude(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'outlast-bench-'));
  const server = await startModelServer();
  try {
    await using world = await makeWorld();
    const env = homeOf(root, server.url);
    await hook(world, root);
    await live(world, root, env);
    await many(world, root, env);
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** A home folder for the agent, as after its first start. */
function homeOf(root: string, url: string): Record<string, string> {
  for (const name of ['bin', 'home', 'config', 'workspace', 'spool', 'news']) mkdirSync(join(root, name));
  installAgent(root, NEWEST_CLAUDE, false);
  return environment(root, url);
}

async function hook(world: World, root: string): Promise<void> {
  await world.client.daemonStatus();
  const program = join(import.meta.dirname, '../dist/hook.sh');
  const command = hookCommand({ program, spool: join(root, 'spool'), reports: join(root, 'news'), name: 'bench' });
  const payload = join(root, 'payload');
  writeFileSync(payload, JSON.stringify({ hook_event_name: 'PreToolUse', tool_input: { command: 'x'.repeat(2_000) } }));
  const once = (words: readonly string[]): Promise<number> =>
    timeMs(
      () =>
        new Promise<void>((done, failed) => {
          const input = openSync(payload, 'r');
          const child = spawn('sh', words, { stdio: [input, 'ignore', 'ignore'] });
          closeSync(input);
          child.once('exit', () => done());
          child.once('error', failed);
        }),
    );
  const took: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    took.push(await once(['-c', command]));
    bare.push(await once(['-c', ':']));
  }
  const [p50, empty] = [percentile(took, 50), percentile(bare, 50)];
  report('one observing hook', `p50 ${ms(p50)} (an empty sh: ${ms(empty)})`, '<= 10 ms', p50 <= 10);
}

async function live(world: World, root: string, env: Record<string, string>): Promise<void> {
  const cwd = join(root, 'workspace');
  const stopped = join(root, 'stopped');
  noteStops(cwd, stopped);
  const session = await world.client.start({ agent: 'claude', drive: 'live', cwd, env, trust: true });
  await session.wait({ for: 'idle', timeoutMs: 60_000 });
  const accepted: number[] = [];
  const replied: number[] = [];
  for (let i = 0; i < 40; i += 1) {
    const askedMs = Date.now();
    const { prompt } = await session.converse(`say ${i}`);
    const repliedMs = Date.now();
    // The two hooks run in parallel; either may come last.
    const stoppedMs = await eventually(() => newerThan(stopped, askedMs));
    replied.push(repliedMs - stoppedMs);
    accepted.push((await acceptedMs(world, session.id, prompt ?? '')) - askedMs);
  }
  const [a50, a95] = [percentile(accepted, 50), percentile(accepted, 95)];
  report('prompt on an idle live session -> accepted', `p50 ${ms(a50)}, p95 ${ms(a95)}`, 'p95 <= 1 s', a95 <= 1_000);
  const [r50, r99] = [percentile(replied, 50), percentile(replied, 99)];
  report('Stop hook -> converse returns', `p50 ${ms(r50)}, p99 ${ms(r99)}`, 'p99 <= 100 ms', r99 <= 100);
  await session.stop();
}

/** A Stop hook of the workspace itself, which runs beside ours and records when. */
function noteStops(workspace: string, file: string): void {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: `date +%s%N > '${file}'` }] }] };
  mkdirSync(join(workspace, '.claude'), { recursive: true });
  writeFileSync(join(workspace, '.claude', 'settings.json'), JSON.stringify({ hooks }));
}

function newerThan(file: string, ms: number): number | null {
  const noted = existsSync(file) ? Number(readFileSync(file, 'utf8')) / 1e6 : 0;
  return noted > ms ? noted : null;
}

async function acceptedMs(world: World, session: string, prompt: string): Promise<number> {
  for await (const event of world.client.events({ session, types: ['prompt.accepted'] })) {
    if (event.body.prompt === prompt) return Date.parse(event.ts);
  }
  return Number.NaN;
}

async function many(world: World, root: string, env: Record<string, string>): Promise<void> {
  const cwd = join(root, 'workspace');
  const byHand = async (): Promise<number> =>
    timeMs(() => Promise.all(Array.from({ length: MANY }, (_, i) => claudePrint(root, env, cwd, i))));
  const byUs = async (): Promise<number> =>
    timeMs(async () => {
      const replies = await Promise.all(
        Array.from({ length: MANY }, () => world.client.run(STORY, { agent: 'claude', cwd, env, trust: true })),
      );
      const wrong = replies.filter(({ reply }) => reply !== 'done');
      if (wrong.length > 0) throw new Error(`${wrong.length} of ${MANY} replies are wrong`);
    });
  await byHand(); // The first ones run with a cold cache.
  const hand: number[] = [];
  const ours: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    hand.push(await byHand());
    ours.push(await byUs());
  }
  const ratio = percentile(ours, 50) / percentile(hand, 50);
  const both = `${times(ratio)} (${ms(percentile(ours, 50))} / ${ms(percentile(hand, 50))})`;
  report(`${MANY} sessions of turns at once / ${MANY} claude -p by hand`, both, '<= 1.1x', ratio <= 1.1);
}

function claudePrint(root: string, env: Record<string, string>, cwd: string, i: number): Promise<void> {
  const input = join(root, `prompt-${i}`);
  const output = join(root, `output-${i}`);
  writeFileSync(input, STORY);
  const handles = [openSync(input, 'r'), openSync(output, 'w')] as const;
  const args = ['--print', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'bypassPermissions'];
  // Each in a process session of its own, as ours are: the scheduler shares a busy machine among those.
  const child = spawn('claude', args, { cwd, env, stdio: [handles[0], handles[1], 'ignore'], detached: true });
  for (const handle of handles) closeSync(handle);
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', () => {
      if (readFileSync(output, 'utf8').includes('"result":"done"')) done();
      else failed(new Error(`claude -p gave no reply, see ${output}`));
    });
  });
}
