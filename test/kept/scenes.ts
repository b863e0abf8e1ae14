// What is recorded of each version: sessions in every state that outlasts a daemon, with their traces on the disk.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import type { OldVersion } from './old-version.ts';

/** Far enough from now: the kept session is limited for as long as anybody opens it. */
const YEAR_2100_S = 4_102_444_800;

/** A call that leaves a word behind each time it is made. */
export const mark = (word: string): object => bash(`echo ${word} >> "$HOME/ledger"`);
export const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
export const story = (...steps: readonly object[]): string => `Go. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** Nobody tries this again by himself, as one would a login. */
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

/** The agents of ours that are driven by messages, a wire each. */
export const SERVERS = ['echo', 'echo-websocket', 'echo-http'] as const;

/** A call that lasts until the file is there. */
const STAGED_CALL = 'echo began >> "$HOME/ledger"; until [ -e "$HOME/go" ]; do sleep 0.05; done';

/** Brings every session about, one after the other: ids and the journal come out in the same order each time. */
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
  await staged(old);
}

/** What only the config explains: a tool in a folder of its PATH, a short name of a model, a notice. */
async function configured(old: OldVersion): Promise<void> {
  const tools = join(old.root, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'kept-tool'), '#!/bin/sh\necho from the tool\n', { mode: 0o755 });
  await old.says(['exec', '-b', '--name', 'tool', '-c', 'kept-tool'], { name: 'tool' });
  await old.says(['start', '--name', 'model', '--model', 'kept', 'hello'], { name: 'model' });
  await old.says(['wait', 'model', '--for', 'reply', '--timeout', '60s']);
  await noticed(old, 'tool');
}

/** Commands that ended: well, badly, and by somebody's wish. And one that runs when the power is cut. */
async function commands(old: OldVersion): Promise<void> {
  await old.says(['exec', '--name', 'done', '-c', 'echo once >> "$HOME/ledger"; seq 1 500'], { name: 'done' });
  await old.cli(['exec', '--name', 'bad', '--split', '-c', 'echo out; echo err >&2; exit 3'], { name: 'bad' });
  await old.says(['exec', '-b', '--name', 'stopped', '--', 'sleep', '1000'], { name: 'stopped' });
  await old.says(['stop', 'stopped', '--now']);
  await old.says(['wait', 'stopped', '--for', 'ended', '--timeout', '60s']).catch(() => {});
  const forever = 'echo once >> "$HOME/ledger"; echo begun; exec sleep 1000';
  await old.says(['exec', '-b', '--name', 'cut', '-c', forever], { name: 'cut' });
  await eventually(() => old.ledger('cut').length === 1, { what: 'a command at work', msMax: 60_000 });
}

/** Agents that have answered and wait: a process for each turn, and live ones. */
async function agents(old: OldVersion): Promise<void> {
  await start(old, 'turns', [story(mark('turns'), { text: 'from turns' })]);
  await old.says(['wait', 'turns', '--for', 'reply', '--timeout', '60s']);
  for (const terminal of ['pty', 'tmux']) {
    await start(old, `live-${terminal}`, ['--live', `--${terminal}`, '--ready', '60s']);
    await old.says(['converse', `live-${terminal}`, story(mark(terminal), { text: `from ${terminal}` })]);
  }
}

/** Agents that wait for a person, for the end of a limit, and for another session. */
async function waiting(old: OldVersion): Promise<void> {
  await start(old, 'held', [story(mark('a'), UNPAID, mark('b'), { text: 'paid' })]);
  await happens(old, 'held', 'session.held');
  await start(old, 'limited', [story(mark('a'), LIMIT, mark('b'), { text: 'went on' })]);
  await happens(old, 'limited', 'session.limited');
  await start(old, 'after', ['--after', 'held', story(mark('after'), { text: 'from after' })]);
}

/**
 * Behind a gate: decided both ways, open with its process parked, and open on a screen. All in a folder that every
 * machine has: what the audit names can never be written anew.
 */
async function asking(old: OldVersion): Promise<void> {
  const gate = ['--gate', '--ask-timeout', 'none'];
  await start(old, 'decided', [...gate, '--end', story(mark('yes'), mark('no'), { text: 'both heard' })]);
  await asked(old, 'decided');
  await old.says(['approve', 'decided']);
  await eventually(() => old.ledger('decided').length === 1, { what: 'the call that was allowed', msMax: 60_000 });
  await asked(old, 'decided');
  await old.says(['deny', 'decided', '--why', 'not this one']);
  await old.says(['wait', 'decided', '--for', 'ended', '--timeout', '60s']);
  await start(old, 'parked', [...gate, story(mark('parked'), { text: 'from parked' })]);
  await happens(old, 'parked', 'turn.deferred');
  await start(old, 'asked', ['--live', '--tmux', ...gate, '--ready', '60s']);
  await old.says(['prompt', 'asked', story(mark('asked'), { text: 'from asked' })]);
  await asked(old, 'asked');
}

/** An agent with work in a worktree that is nowhere else. */
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
  await old.says(['wait', 'tree', '--for', 'reply', '--timeout', '60s']);
}

/** An agent that started a command, and was told of its end. */
async function owner(old: OldVersion): Promise<void> {
  const child = bash(`outlast exec -b --wake --name child -c 'echo child >> "$HOME/ledger"; exit 4'`);
  await start(old, 'owner', [story(child, { text: 'waiting' })]);
  const isTold = async (): Promise<boolean> => answersIn(await old.says(['events', 'owner'])) === 2;
  await eventually(isTold, { what: 'an owner that was told', msMax: 60_000 });
}

/** A batch that is done. */
async function batch(old: OldVersion): Promise<void> {
  const folder = join(old.root, 'batch');
  mkdirSync(folder);
  const first = { prompt: story(mark('first'), { text: 'the first' }) };
  const second = { prompt: 'After {{first.reply}}' };
  const plan = { defaults: { agent: 'scripted' }, sessions: { first, second } };
  writeFileSync(join(folder, 'weekly.json'), JSON.stringify(plan));
  await old.says(['batch', 'weekly.json'], { name: 'batch', cwd: folder });
}

/** Agents that are driven by messages: idle on each wire, and one with a question that nobody has answered. */
async function servers(old: OldVersion): Promise<void> {
  for (const name of SERVERS) {
    await old.says(['start', '--agent', name, '--live', '--name', `on-${name}`, '--ready', '60s'], { name });
    await old.says(['converse', `on-${name}`, `run echo ${name} >> "$HOME/ledger"\nsay from ${name}`]);
  }
  const gate = ['--live', '--gate', '--ask-timeout', 'none', '--ready', '60s'];
  await old.says(['start', '--agent', 'echo', '--name', 'wonders', ...gate], { name: 'wonders', cwd: '/tmp' });
  await old.says(['prompt', 'wonders', 'run echo asked >> "$HOME/ledger"\nsay from wonders']);
  await asked(old, 'wonders');
}

/** An agent in a tool call, for which an update is staged: the hook after the call would deliver it. */
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
  return old.says(['start', '--agent', 'scripted', '--name', name, ...words], { name, cwd });
}

async function happens(old: OldVersion, session: string, event: string): Promise<void> {
  await eventually(async () => (await old.says(['events', session])).includes(event), { what: event, msMax: 60_000 });
}

async function asked(old: OldVersion, session: string): Promise<void> {
  const isOpen = async (): Promise<boolean> => (await old.says(['approvals', session, '--json'])).length > 2;
  await eventually(isOpen, { what: `a question of ${session}`, msMax: 60_000 });
}
