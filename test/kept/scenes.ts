// What is recorded of each version: sessions in every state that survives a daemon, with their files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import type { OldVersion } from './old-version.ts';

/** Far enough in the future that the kept session is still limited whenever a test opens it. */
const YEAR_2100_S = 4_102_444_800;

/** A call that appends a word to the ledger each time it runs. */
export const mark = (word: string): object => bash(`echo ${word} >> "$HOME/ledger"`);
export const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
export const story = (...steps: readonly object[]): string => `Go. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** Held until a person resumes it: unlike a failed login, it is not probed. */
const UNPAID = { status: 400, times: 1, body: 'Credit balance is too low' };

const LIMIT = {
  status: 429,
  times: 1,
  headers: {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-reset': String(YEAR_2100_S),
  },
};

/** Our agents that are driven by messages, one for each wire. */
export const SERVERS = ['echo', 'echo-websocket', 'echo-http'] as const;

/** A call that runs until the file exists. */
const STAGED_CALL = 'echo began >> "$HOME/ledger"; until [ -e "$HOME/go" ]; do sleep 0.05; done';

/** Creates all sessions one after the other, so that ids and the journal have the same order each time. */
export async function playScenes(old: OldVersion): Promise<void> {
  await configured(old);
  await commands(old);
  await agents(old);
  await waiting(old);
  await asking(old);
  await worktree(old);
  await owner(old);
  await batch(old);
  await servers(old);
  await schedule(old);
  await staged(old);
}

/** A schedule that starts nothing, whenever a test opens it: it is paused. */
async function schedule(old: OldVersion): Promise<void> {
  const when = ['--every', '30 7 1 1 *', '--tz', 'Europe/Berlin', '--missed', 'skip', '--overlap', 'queue'];
  await old.run(['exec', ...when, '--name', 'yearly', '--', 'true'], { name: 'yearly' });
  await old.run(['schedule', 'pause', 'yearly']);
}

/** What depends on the config: a tool on the added PATH, the short name of a model, a notice. */
async function configured(old: OldVersion): Promise<void> {
  const tools = join(old.root, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'kept-tool'), '#!/bin/sh\necho from the tool\n', { mode: 0o755 });
  await old.run(['exec', '-b', '--name', 'tool', '-c', 'kept-tool'], { name: 'tool' });
  await old.run(['start', '--name', 'model', '--model', 'kept', 'hello'], { name: 'model' });
  await old.run(['wait', 'model', '--for', 'reply', '--timeout', '60s']);
  await noticed(old, 'tool');
}

/** Commands that succeeded, failed and were stopped, and one that is running when the power is cut. */
async function commands(old: OldVersion): Promise<void> {
  await old.run(['exec', '--name', 'done', '-c', 'echo once >> "$HOME/ledger"; seq 1 500'], { name: 'done' });
  await old.cli(['exec', '--name', 'bad', '--split', '-c', 'echo out; echo err >&2; exit 3'], { name: 'bad' });
  await old.run(['exec', '-b', '--name', 'stopped', '--', 'sleep', '1000'], { name: 'stopped' });
  await old.run(['stop', 'stopped', '--now']);
  await old.run(['wait', 'stopped', '--for', 'ended', '--timeout', '60s']).catch(() => {});
  const forever = 'echo once >> "$HOME/ledger"; echo begun; exec sleep 1000';
  await old.run(['exec', '-b', '--name', 'cut', '-c', forever], { name: 'cut' });
  await eventually(() => old.ledger('cut').length === 1, { what: 'a running command', msMax: 60_000 });
}

/** Agents that have answered and are idle: in the turns drive, and live. */
async function agents(old: OldVersion): Promise<void> {
  await start(old, 'turns', [story(mark('turns'), { text: 'from turns' })]);
  await old.run(['wait', 'turns', '--for', 'reply', '--timeout', '60s']);
  for (const terminal of ['pty', 'tmux']) {
    await start(old, `live-${terminal}`, ['--live', `--${terminal}`, '--ready', '60s']);
    await old.run(['converse', `live-${terminal}`, story(mark(terminal), { text: `from ${terminal}` })]);
  }
}

/** Agents that wait: for a person, for the end of a limit, and for another session. */
async function waiting(old: OldVersion): Promise<void> {
  await start(old, 'held', [story(mark('a'), UNPAID, mark('b'), { text: 'paid' })]);
  await happens(old, 'held', 'session.held');
  await start(old, 'limited', [story(mark('a'), LIMIT, mark('b'), { text: 'went on' })]);
  await happens(old, 'limited', 'session.limited');
  await start(old, 'after', ['--after', 'held', story(mark('after'), { text: 'from after' })]);
}

/**
 * Approvals: allowed and denied, pending without a process, and pending on a screen. All in a folder that exists on
 * every machine, because paths in the audit can never be rewritten.
 */
async function asking(old: OldVersion): Promise<void> {
  const gate = ['--gate', '--ask-timeout', 'none'];
  await start(old, 'decided', [...gate, '--end', story(mark('yes'), mark('no'), { text: 'both heard' })]);
  await asked(old, 'decided');
  await old.run(['approve', 'decided']);
  await eventually(() => old.ledger('decided').length === 1, { what: 'the call that was allowed', msMax: 60_000 });
  await asked(old, 'decided');
  await old.run(['deny', 'decided', '--why', 'not this one']);
  await old.run(['wait', 'decided', '--for', 'ended', '--timeout', '60s']);
  await start(old, 'parked', [...gate, story(mark('parked'), { text: 'from parked' })]);
  await happens(old, 'parked', 'turn.deferred');
  await start(old, 'asked', ['--live', '--tmux', ...gate, '--ready', '60s']);
  await old.run(['prompt', 'asked', story(mark('asked'), { text: 'from asked' })]);
  await asked(old, 'asked');
}

/** An agent with changes in a worktree that are committed nowhere. */
async function worktree(old: OldVersion): Promise<void> {
  const repository = join(old.root, 'workspace');
  const git = (...words: string[]): void => {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...who, ...words], { cwd: repository, env: old.env(), stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main', '--template=');
  writeFileSync(join(repository, 'file'), 'one\n');
  git('add', 'file');
  git('commit', '-q', '-m', 'first');
  const change = bash('echo two > file; echo worktree >> "$HOME/ledger"');
  await start(old, 'tree', ['--worktree', story(change, { text: 'changed' })], repository);
  await old.run(['wait', 'tree', '--for', 'reply', '--timeout', '60s']);
}

/** An agent that started a command, and got an update about its end. */
async function owner(old: OldVersion): Promise<void> {
  const child = bash(`outlast exec -b --wake --name child -c 'echo child >> "$HOME/ledger"; exit 4'`);
  await start(old, 'owner', [story(child, { text: 'waiting' })]);
  const isUpdated = async (): Promise<boolean> => answersIn(await old.run(['events', 'owner'])) === 2;
  await eventually(isUpdated, { what: 'an owner that got an update', msMax: 60_000 });
}

/** A batch that has finished. */
async function batch(old: OldVersion): Promise<void> {
  const folder = join(old.root, 'batch');
  mkdirSync(folder);
  const first = { prompt: story(mark('first'), { text: 'the first' }) };
  const second = { prompt: 'After {{first.reply}}' };
  const plan = { defaults: { agent: 'scripted' }, sessions: { first, second } };
  writeFileSync(join(folder, 'weekly.json'), JSON.stringify(plan));
  await old.run(['batch', 'weekly.json'], { name: 'batch', cwd: folder });
}

/** Agents that are driven by messages: idle on each wire, and one with a pending approval. */
async function servers(old: OldVersion): Promise<void> {
  for (const name of SERVERS) {
    await old.run(['start', '--agent', name, '--live', '--name', `on-${name}`, '--ready', '60s'], { name });
    await old.run(['converse', `on-${name}`, `run echo ${name} >> "$HOME/ledger"\nsay from ${name}`]);
  }
  const gate = ['--live', '--gate', '--ask-timeout', 'none', '--ready', '60s'];
  await old.run(['start', '--agent', 'echo', '--name', 'wonders', ...gate], { name: 'wonders', cwd: '/tmp' });
  await old.run(['prompt', 'wonders', 'run echo asked >> "$HOME/ledger"\nsay from wonders']);
  await asked(old, 'wonders');
}

/** An agent in a tool call with a staged update, which the hook after the call would deliver. */
async function staged(old: OldVersion): Promise<void> {
  const child = bash(`outlast exec -b --wake --name news -c 'echo news >> "$HOME/ledger"; exit 6'`);
  const call = bash(STAGED_CALL);
  await start(old, 'working', [story(child, call, { text: 'worked' })]);
  await happens(old, 'working', 'update.staged');
  await noticed(old, 'news');
}

/** Waits for the notice about a session: one that is half sent when the power is cut may be sent again. */
async function noticed(old: OldVersion, name: string): Promise<void> {
  const isSent = (): boolean => old.notices().some((line) => line.includes(name));
  await eventually(isSent, { what: `a notice about ${name}`, msMax: 60_000 });
}

function answersIn(events: string): number {
  return events.split('prompt.answered').length - 1;
}

async function start(old: OldVersion, name: string, words: readonly string[], cwd = '/tmp'): Promise<string> {
  return old.run(['start', '--agent', 'scripted', '--name', name, ...words], { name, cwd });
}

async function happens(old: OldVersion, session: string, event: string): Promise<void> {
  await eventually(async () => (await old.run(['events', session])).includes(event), { what: event, msMax: 60_000 });
}

async function asked(old: OldVersion, session: string): Promise<void> {
  const isOpen = async (): Promise<boolean> => (await old.run(['approvals', session, '--json'])).length > 2;
  await eventually(isOpen, { what: `a pending approval of ${session}`, msMax: 60_000 });
}
