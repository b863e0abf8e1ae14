import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Print, type Sink } from '../../src/cli/base/print.ts';
import { run } from '../../src/cli/run.ts';
import { realClock } from '../../src/client/clock.ts';
import { makeWorld } from '../world.ts';

// What people get wrong, and what they read then. Each message says what to do; these are all of it.

const world = await makeWorld();
const folder = mkdtempSync(join(tmpdir(), 'outlast-mistakes-'));
writeFileSync(join(folder, 'file'), '');
mkdirSync(join(folder, 'empty'));
await world.client.start({ argv: ['sleep', '1000'], name: 'live', cwd: folder });
await world.client.start({ argv: ['true'], name: 'done', cwd: folder });
await world.client.run('hello', { agent: 'scripted', name: 'idle', keepOpen: true, cwd: folder });
await world.client.wait({ session: 'done' });
afterAll(async () => {
  await world.client.stop({ session: 'live', graceMs: 0 });
  await world.client.stop({ session: 'idle', graceMs: 0 });
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const NOBODY = 'there is no session "nobody"\n  Run `outlast list` to see the names.';
const NO_TALK = (name: string) => `${name} runs a command, not an agent; \`outlast output ${name}\` reads it`;
const FOLDER = '\n  Pass a folder that you can enter: --workspace, or for exec --cwd.';
const MODELS = 'opus, sonnet, haiku, opus-latest, sonnet-latest, haiku-latest, fable';
const DURATION = 'is not a valid duration; write it like 250ms, 10s, 5m, 1h30m or 7d';

const MISTAKES: readonly (readonly [words: string[], status: number, message: string | RegExp])[] = [
  // The command.
  [['lst'], 2, 'unknown command "lst"; did you mean "list"?'],
  [['frobnicate'], 2, 'unknown command "frobnicate"; see `outlast help`'],
  [
    ['status'],
    2,
    'there is no command "status"; `outlast list` shows the sessions, `outlast daemon status` the daemon',
  ],
  [
    ['delete', 'live'],
    2,
    'there is no command "delete"; `outlast remove S` deletes an ended session, `outlast stop S` ends a live one',
  ],
  [['fix the tests'], 2, '"fix the tests" is not a command; to run an agent on it: outlast run "…"'],
  [['--verison'], 2, 'unknown option "--verison"; see `outlast help`'],
  [['--color', 'list'], 2, '--color comes after the command: outlast list --color'],
  [['-v'], 2, 'unknown option "-v"; the version is in `outlast --version`'],
  [['daemon'], 2, 'daemon: missing command, one of start, stop, restart, status, wake, logs'],
  [['daemon', 'sotp'], 2, 'daemon: unknown command "sotp"; did you mean "stop"?'],
  [['help', 'frob'], 2, 'help: unknown command "frob"; see `outlast help`'],
  [
    ['log', 'live'],
    2,
    'there is no command "log"; ' +
      '`outlast logs S` shows what happened in a session, `outlast daemon logs` is the log of the daemon',
  ],
  [
    ['tail'],
    2,
    'there is no command "tail"; `outlast logs S --tail 20` prints the last lines, with --follow also new ones',
  ],
  [
    ['watch'],
    2,
    'there is no command "watch"; `outlast top` watches all sessions, `outlast logs S --follow` one session',
  ],
  [
    ['fork', 'idle'],
    2,
    'there is no command "fork"; `outlast start --fork S` starts a session with a copy of the conversation of S',
  ],
  [['undo'], 2, 'there is no command "undo"; `outlast diff S | git apply -R` undoes the changes of a session'],
  [['schedule', 'new'], 2, 'schedule: unknown command "new"; choose one of list, show, pause, resume, run-now, remove'],
  // The prompt.
  [
    ['run', 'fix', 'the', 'tests'],
    2,
    'run: the prompt is one argument, found 3; put it in quotes: outlast run "fix the tests"',
  ],
  [
    ['prompt', 'idle', 'go', 'on'],
    2,
    'prompt: the prompt is one argument, found 2; put it in quotes: outlast prompt S "go on"',
  ],
  [['run', ''], 2, 'run: the prompt is blank; write what the agent should do'],
  [['run', '--prompt-file', '/tmp'], 2, 'run: --prompt-file: cannot read /tmp: it is a folder (EISDIR)'],
  [['run', '--prompt-file', 'p', 'x'], 2, 'run: pass the prompt or --prompt-file, not both'],
  // Options and their values.
  [['run', '--timout', '5m', 'x'], 2, 'run: unknown option --timout; did you mean --timeout?'],
  [['run', '--frobnicate', 'x'], 2, 'run: unknown option --frobnicate; see `outlast run --help`'],
  [['run', '--timeout', '5', 'x'], 2, `--timeout: "5" ${DURATION}`],
  [['run', '--timeout', '5 minutes', 'x'], 2, `--timeout: "5 minutes" ${DURATION}`],
  [['run', 'x', '--timeout'], 2, 'run: --timeout needs a value: --timeout D'],
  [
    ['run', '--model', '--gate', 'x'],
    2,
    'run: --model needs a value, found --gate; if that is the value, write --model=--gate',
  ],
  [['run', '--live=yes', 'x'], 2, 'run: --live takes no value, found "yes"'],
  [['run', '--name', 'a', '--name', 'b', 'x'], 2, 'run: --name is given twice, as "a" and "b"; leave one out'],
  [
    ['run', '--wait', '1m', '--timeout', '2m', 'x'],
    2,
    'run: --timeout is given twice, as "1m" and "2m"; leave one out',
  ],
  [
    ['run', '--name', 'My Name', '--agent', 'scripted', 'x'],
    2,
    'name: use only a-z, 0-9 and -, at most 63 characters, such as fix-tests',
  ],
  [
    ['run', '--env', '1X=2', 'x'],
    2,
    '--env: "1X=2" is not a variable; write it like NAME to pass yours, or NAME=value',
  ],
  [['run', '--memory', 'lots', 'x'], 2, '--memory: "lots" is not a valid size; write it like 512m or 4g'],
  [
    ['run', '--on-limit', 'sleep', 'x'],
    2,
    '--on-limit: "sleep" is not one of wait, stop, ask and switch:AGENT[,AGENT]',
  ],
  [['run', '--gate', '--no-gate', 'x'], 2, 'run: choose one of --gate, --watch and --no-gate'],
  [['run', '--size', '80', 'x'], 2, '--size: "80" is not a valid size; write it like 120x30'],
  [['run', '--budget-usd', 'five', 'x'], 2, '--budget-usd: "five" is not a valid amount; write it like 2.50'],
  [['list', '--color', 'sometimes'], 2, 'list: --color: "sometimes" is not one of auto, always, never'],
  [['output', 'done', '--tail', 'many'], 2, '--tail: "many" is not a whole number'],
  [
    ['events', '--after', 'yesterday'],
    2,
    '--after: "yesterday" is not a position; write a number, or a cursor as --json prints it',
  ],
  [['list', '--state', 'workin'], 2, 'list: there is no state "workin"; did you mean "working"?'],
  // Agents and folders.
  [['run', '--agent', 'cluade', 'x'], 2, 'there is no agent "cluade"; did you mean "claude"?'],
  [
    ['run', '--agent', 'scripted', '--model', 'oups', 'x'],
    2,
    `there is no model "oups"; use one of: ${MODELS}, or a full id`,
  ],
  [
    ['run', '--agent', 'scripted', '--cwd', '/nowhere', 'x'],
    2,
    `cannot enter and read /nowhere: no such file or folder (ENOENT)${FOLDER}`,
  ],
  [['exec', '--cwd', join(folder, 'file'), '--', 'ls'], 125, `${join(folder, 'file')} is not a folder${FOLDER}`],
  [['batch', '/nowhere.yaml'], 2, 'batch: cannot read /nowhere.yaml: no such file or folder (ENOENT)'],
  // Commands that are run.
  [['exec'], 125, 'exec: missing command, e.g. `outlast exec -- npm test`'],
  [['exec', '--nam', 'x', '--', 'ls'], 125, 'exec: unknown option --nam; did you mean --name?'],
  [['exec', '-c', 'x', 'y'], 125, 'exec: pass either -c STRING or a command, not both'],
  [['exec', 'npm test'], 127, "it was run as one word; leave the quotes out, or: outlast exec -c 'npm test'"],
  // Sessions that are not there, or not what the command needs.
  [['show'], 2, 'show: missing argument. Usage: outlast show S [OPTIONS]'],
  [['show', 'live', 'done'], 2, 'show: unexpected argument "done". Usage: outlast show S [OPTIONS]'],
  [['show', 'nobody'], 3, NOBODY],
  [['stop', 'nobody'], 3, NOBODY],
  [['kill', '-9', 'nobody'], 3, NOBODY],
  [['stop'], 2, 'stop: name a session, --all, or a filter such as --agent'],
  [['stop', '--all', 'live'], 2, 'stop: name sessions, or pass --all or a filter; not both'],
  [['remove', 'live'], 4, 'live is still live\n  Stop it first with `outlast stop`.'],
  [['remove', '--older-than', '7d'], 2, 'remove: --older-than needs --ended'],
  [
    ['exec', '--name', 'live', '--', 'true'],
    125,
    'a session named "live" is live\n  Choose another --name, or stop the session that has it.',
  ],
  [['prompt', 'live', 'x'], 4, NO_TALK('live')],
  [['resume', 'done'], 4, NO_TALK('done')],
  [['turn', 'idle', '9'], 3, 'idle has no turn 9; it has 1\n  Give a number from 1, or -1 for the last turn.'],
  [
    ['interrupt', 'idle'],
    4,
    'idle is not in a turn (idle)\n  Run `outlast stop` to end the session: there was no turn to interrupt.',
  ],
  [
    ['interrupt', 'done'],
    4,
    'done has ended\n  ' +
      'Read its output with `outlast output`, continue an agent with `outlast resume`, or start a new one.',
  ],
  [
    ['prompt', 'idle', '--drop', 'nothing'],
    3,
    'idle has no such prompt waiting\n  Run `outlast events --type prompt.queued` to see the ids of its prompts.',
  ],
  [['wait', 'live', '--for', 'reply'], 2, 'live runs a command; only an agent replies'],
  [['wait', 'live', '--for', 'event:run.ende'], 2, 'for: there is no event "run.ende"; did you mean "run.ended"?'],
  [['events', '--type', 'lunch'], 2, 'types: there is no event "lunch"; docs/events.md lists them'],
  // What others must have set up.
  [['run', '--agent', 'echo', '--model', 'gpt-5', 'x'], 2, 'there is no model "gpt-5"; use a full id'],
  [['spawn', 'x'], 4, 'spawn works only inside an Outlast session; use `outlast start`, or session_start over MCP'],
  [
    ['notify', 'test', 'phone'],
    2,
    /^there is no notice "phone"; (?:available: desktop|add one with `outlast notify setup`)$/,
  ],
  // Approvals.
  [
    ['approve', 'nothing'],
    3,
    'there is no pending approval "nothing"\n  Run `outlast approvals` to list the pending approvals.',
  ],
  [['deny', 'idle'], 3, 'idle has no pending approval\n  Run `outlast approvals` to list the pending approvals.'],
  [['approve', 'x', '--session', '--always'], 2, 'choose one of --session and --always'],
];

test.each(MISTAKES)('%j', async (words, status, message) => {
  const ran = await runIn(words, {});
  const told = ran.err.replace(/^outlast: /, '').replace(/\n$/, '');
  if (typeof message === 'string') expect(told).toBe(message);
  else expect(told).toMatch(message);
  expect(ran.status).toBe(status);
});

test('there are at least sixty of them, and no errno stands alone', () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  for (const [, , message] of MISTAKES) expect(String(message)).not.toMatch(/(?<!\()\bE(?:NOENT|ACCES|ISDIR)\b/);
});

test.each([
  [
    'a file',
    () => join(folder, 'file'),
    /cannot use the state folder .*: (?:it exists already|a part of the path is not a folder)/,
  ],
  ['a folder of another user', () => '/proc/1', /cannot use the state folder|belongs to user|not to you/],
  ['too long a path', () => `/tmp/${'x'.repeat(200)}`, /is longer than \d+ bytes: use a shorter state folder/],
])('the state folder is %s', async (_, state, message) => {
  const ran = await runIn(['list'], { OUTLAST_STATE: state() });
  expect(ran.err).toMatch(message);
  expect(ran.err).toContain('Set OUTLAST_STATE to a folder of your own, on a local disk.');
  expect(ran.status).toBe(1);
});

test('the output cannot be written', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  const ran = await runIn(['list'], {}, () => Promise.reject(full));
  expect(ran.err).toBe(
    'outlast: cannot write the output: no space left on the disk (ENOSPC); nothing is lost, read it again\n',
  );
});

/** Runs a command line in this process, with the daemon of the world. */
async function runIn(words: readonly string[], env: Record<string, string>, write?: () => Promise<void>) {
  let err = '';
  const out: Sink = { isTty: false, columns: 80, write: write ?? (async () => {}) };
  const notes: Sink = {
    ...out,
    write: async (bytes) => {
      err += String(bytes);
    },
  };
  const its = { PATH: process.env.PATH, HOME: folder, OUTLAST_STATE: world.state, ...env };
  const status = await run(words, { env: its, clock: realClock(), print: new Print(out, notes, its) });
  return { status, err };
}
