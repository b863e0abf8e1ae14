import { expect, test } from 'vitest';
import { realClock } from '../client/clock.ts';
import { COMMON } from './base/command.ts';
import { parseWords } from './base/parse.ts';
import { Print, type Sink } from './base/print.ts';
import { run } from './run.ts';
import { findCommand, GROUPS, HIDDEN, TABLE } from './table.ts';

function world(env: Record<string, string> = {}, isTty = false) {
  const printed = { out: '', err: '' };
  const sink = (name: 'out' | 'err'): Sink => ({
    isTty,
    columns: 80,
    write: async (bytes) => {
      printed[name] += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
    },
  });
  return { printed, env, clock: realClock(), print: new Print(sink('out'), sink('err'), env) };
}

test('the first page names every command, in its group', async () => {
  const here = world();
  expect(await run([], here)).toBe(0);
  const sections = here.printed.out.split('\n\n');
  for (const { title, rows } of GROUPS) {
    const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
    for (const [name, { summary }] of Object.entries(rows)) {
      const [first, second] = name.split(' ');
      if (second === undefined) expect(section).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
      else expect(section).toMatch(new RegExp(`^  ${first} … .*\\b${second}\\b`, 'm'));
    }
  }
  expect(here.printed.out).not.toContain('__complete');
  for (const line of here.printed.out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(90);
});

test('the help of a command breaks between words at the edge of the terminal', async () => {
  const here = world({ NO_COLOR: '1' }, true);
  expect(await run(['start', '--help'], here)).toBe(0);
  const lines = here.printed.out.trimEnd().split('\n');
  const examples = lines.indexOf('Examples:');
  for (const line of lines.slice(0, examples)) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(here.printed.out).toMatch(/--rules FILE +Read rules from a file: [^\n]*\n {10,}\S/);
});

test('every command is in exactly one group', () => {
  const names = GROUPS.flatMap(({ rows }) => Object.keys(rows));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  expect(names.toSorted()).toEqual(Object.keys(TABLE).toSorted());
});

test.each([
  [['ls', '--limit', '3'], 'list', ['--limit', '3']],
  [['ps'], 'list', ['--live']],
  [['ps', '--ended'], 'list', ['--ended']],
  [['rm', 'api'], 'remove', ['api']],
  [['kill', 'api'], 'stop', ['api']],
  [['kill', '-9', 'api'], 'stop', ['--now', 'api']],
  [['kill', '-TERM', 'api'], 'stop', ['api']],
])('%j is what people expect', (words, name, rest) => {
  expect(findCommand(words)).toMatchObject({ name, rest });
});

test('an option has one name in all commands, and its earlier name does the same', async () => {
  for (const { load } of Object.values(TABLE)) {
    const command = await load();
    for (const [option, { type, was }] of Object.entries(command.options)) {
      if (was === undefined) continue;
      expect(Object.keys(command.options)).not.toContain(was);
      const parsed = (name: string) =>
        parseWords({ ...command, words: ANY }, type === 'string' ? [`--${name}`, 'x'] : [`--${name}`]);
      expect(parsed(was)).toEqual(parsed(option));
    }
  }
});

const ANY = { min: 0, max: 9, are: '' };

test.each(Object.keys({ ...TABLE, ...HIDDEN }))(
  'the help of "%s" has its summary, every option with a sentence, and an example',
  async (name) => {
    const here = world();
    expect(await run([...name.split(' '), '--help'], here)).toBe(0);
    const command = await (TABLE[name] ?? HIDDEN[name])?.load();
    expect(command?.name).toBe(name);
    expect(command?.summary).toBe((TABLE[name] ?? HIDDEN[name])?.summary);
    expect(here.printed.out).toContain(command?.summary);
    for (const [option, { sentence }] of Object.entries({ ...command?.options, ...COMMON })) {
      expect(here.printed.out).toContain(`--${option}`);
      expect(here.printed.out).toContain(sentence);
      expect(sentence).toMatch(/^[A-Z-].*\.$|^exit .*\.$/);
    }
    expect(command?.examples.length).toBeGreaterThan(0);
    for (const [line] of command?.examples ?? []) expect(here.printed.out).toContain(line);
    expect(command?.examples.every(([line]) => line.includes(`outlast ${name}`))).toBe(true);
  },
);

test('help shows the same as --help, for commands and groups', async () => {
  for (const words of [['exec'], ['process', 'poll'], ['process']]) {
    const [one, other] = [world(), world()];
    expect(await run(['help', ...words], one)).toBe(0);
    expect(await run([...words, '--help'], other)).toBe(0);
    expect(one.printed.out).toBe(other.printed.out);
  }
});

test.each([
  [['exce'], 2, 'outlast: unknown command "exce"; did you mean "exec"?\n'],
  [['frobnicate'], 2, 'outlast: unknown command "frobnicate"; see `outlast help`\n'],
  [['--verison'], 2, 'outlast: unknown option "--verison"; see `outlast help`\n'],
  [['process', 'pol'], 2, 'outlast: process: unknown command "pol"; did you mean "poll"?\n'],
  [['daemon'], 2, 'outlast: daemon: missing command, one of start, stop, restart, status, wake, logs\n'],
  [['toString'], 2, 'outlast: unknown command "toString"; see `outlast help`\n'],
  [['wait'], 2, 'outlast: wait: missing argument. Usage: outlast wait S'],
  [['list', '--live', '--ended'], 2, 'outlast: list: choose one of --live, --ended and --state\n'],
  [['wait', 's', '--timeout', '5'], 2, 'outlast: --timeout: "5" is not a valid duration'],
  [['remove'], 2, 'outlast: remove: name a session, or pass --ended\n'],
  [['tmux', 'find', '-A', '-L', 'x'], 2, 'outlast: tmux find: Cannot combine --all with -L or -S\n'],
  [['completion', 'tcsh'], 2, 'outlast: completion: "tcsh" is not one of bash, zsh, fish\n'],
  [['exec'], 125, 'outlast: exec: missing command'],
  [['exec', '--size', '80', '--pty', 'x'], 125, 'outlast: --size: "80" is not a valid size; write it like 120x30\n'],
  [['exec', '--env', 'x', 'y'], 125, 'outlast: --env: "x" is not a variable; write it like NAME=value\n'],
  [['exec', '-c', 'x', 'y'], 125, 'outlast: exec: pass either -c STRING or a command, not both\n'],
  [['exec', '--pty', '--split', 'y'], 125, 'outlast: exec: --split needs a pipe; a pty has only one stream\n'],
])('%j ends with %i and says what is wrong', async (words, status, message) => {
  const here = world({ OUTLAST_STATE: '/nonexistent/state' });
  expect(await run(words, here)).toBe(status);
  expect(here.printed.err.startsWith(message), here.printed.err).toBe(true);
  expect(here.printed.out).toBe('');
});

test('with --json an error is one JSON object on stdout', async () => {
  const here = world();
  expect(await run(['wait', 's', '--timeout', '5', '--json'], here)).toBe(2);
  expect(JSON.parse(here.printed.out).error).toMatchObject({ code: 'input_invalid', hint: expect.any(String) });
  expect(here.printed.err).toBe('');
});

test('the --json of the command that exec runs is not ours', async () => {
  const here = world();
  expect(await run(['exec', '--size', 'x', '--pty', '--', 'ls', '--json'], here)).toBe(125);
  expect(here.printed.out).toBe('');
});

test('there are colours on a terminal only, and not with NO_COLOR', async () => {
  const looks = [
    world({ TERM: 'xterm' }, true),
    world({ TERM: 'xterm', NO_COLOR: '1' }, true),
    world({ TERM: 'xterm' }),
  ];
  for (const here of looks) await run(['help', 'exec'], here);
  expect(looks.map((here) => here.printed.out.includes('\x1b['))).toEqual([true, false, false]);
});

test('--version prints the version of the package', async () => {
  const here = world();
  expect(await run(['--version'], here)).toBe(0);
  expect(here.printed.out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
