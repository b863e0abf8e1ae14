import { afterEach, expect, test } from 'vitest';
import { OutlastError } from '../../src/client/index.ts';
import { endedSession } from '../../src/testing/session-view.ts';
import type { Answers } from '../fake-daemon.ts';
import { type CliWorld, cliWorld } from './cli-world.ts';

// The calls and the output of the command line, against a daemon that answers what the test says.

let world: CliWorld | null = null;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = null;
});

async function withDaemon(answers: Answers): Promise<CliWorld> {
  world = await cliWorld(answers, { USER: 'ann' });
  return world;
}

const asked = {
  ...{ id: 'k7mpq2xw', session: 's1', name: 'api', workspace: '/w', run: 1, call: null, hash: 'h', subagent: null },
  ...{ tool: 'Bash', why: 'no rule', diff: null, rule: null, askedAtMs: 0, mode: 'gate', leftMs: 5_000 },
  input: { command: 'ls' },
};
const decided = (approval: string) => ({ approval, session: 's1', tool: 'Bash', allow: true });

test('several approvals are decided one by one; one that fails does not affect the others', async () => {
  const { inside, daemon } = await withDaemon({
    'approval.decide': ({ which }) => {
      if (which === 'b') throw new OutlastError('approval_unknown', 'there is no question "b"');
      return { decided: [decided(String(which))], rule: null };
    },
  });
  const ran = await inside(['approve', 'a', 'b', 'c', '--why', 'fine']);
  expect(ran.status).toBe(3);
  expect(ran.out).toBe('Allowed a (Bash) of s1.\nAllowed c (Bash) of s1.\n');
  expect(ran.err).toContain('there is no question "b"');
  expect(daemon.inputsOf('approval.decide')[0]).toMatchObject({
    ...{ which: 'a', allow: true, why: 'fine', by: 'ann', alike: false },
    caller: { pid: process.pid, start: expect.stringMatching(/^\d+$/), run: null },
  });
});

test('conflicting options are refused before any call', async () => {
  const { inside, daemon } = await withDaemon({});
  const refused = async (...words: string[]): Promise<string> => {
    const { status, err } = await inside(words);
    expect(status).toBe(2);
    return err;
  };
  expect(await refused('approve', 'a', '--session', '--always')).toContain('choose one of --session and --always');
  expect(await refused('approve', 'a', 'b', '--edit', '{}')).toContain('--edit needs exactly one approval');
  expect(await refused('approve', 'a', '--edit', '[]')).toContain('--edit needs a JSON object');
  expect(await refused('approve', 'a', '--edit', '{')).toContain('is not JSON');
  expect(await refused('deny', 'a', '--edit', '{}')).toContain('unknown option --edit');
  expect(await refused('rules', 'remove', 'ask', 'Bash')).toContain('neither allow nor deny');
  expect(await refused('audit', '--since', 'monday')).toContain('is not a valid duration');
  expect(await refused('audit', '--since', '2026-13-45')).toContain('is not a date');
  expect(daemon.calls).toEqual([]);
});

test('following prints new approvals and those that are gone, for people and as lines of JSON', async () => {
  const lines = [
    { is: 'asked', id: 'k7mpq2xw', approval: asked },
    { is: 'gone', id: 'k7mpq2xw', decided: { allow: false, by: 'bob', why: 'not\u001b[2K now' } },
    { is: 'gone', id: 'other', decided: null },
  ];
  let times = 0;
  const { inside } = await withDaemon({
    'approval.follow': async function* () {
      times += 1;
      if (times === 1) yield* lines;
    },
    // When the session has ended, following its approvals ends too.
    'session.show': () => ({ session: endedSession(0) }),
  });
  const { out } = await inside(['approvals', 'api', '--follow']);
  expect(out).toContain('k7mpq2xw  Bash  api  auto-denied in 5.0s\n');
  expect(out).toContain('k7mpq2xw was denied by bob: not\\x1b[2K now\n');
  expect(out).toContain('other is no longer pending\n');
  times = 0;
  const json = (await inside(['approvals', 'api', '--follow', '--json'])).out.trim().split('\n');
  expect(json.map((line) => JSON.parse(line))).toEqual(lines);
});

test('the audit is a line for each thing that happened', async () => {
  const row = (number: number, record: object) => ({
    ...{ number, ts: '2026-11-15T08:00:00.000Z', prev: 'p', hash: 'h' },
    record: { session: 's1', name: 'api', approval: 'q1', tool: 'Bash', ...record },
  });
  const { inside, daemon } = await withDaemon({
    'audit.read': async function* () {
      yield row(1, {
        event: 'approval.decided',
        allow: true,
        by: 'rules',
        rule: 'allow Bash(x)',
        why: 'allow Bash(x)',
      });
      yield row(2, { event: 'approval.decided', allow: false, by: 'ann', rule: null, why: 'no' });
      yield row(3, { event: 'approval.used' });
      yield row(4, { event: 'approval.missed' });
      yield row(5, { event: 'approval.ruled', by: 'ann', effect: 'allow', text: 'Bash(x)', always: true });
      yield row(6, { event: 'approval.refused', by: 'process 7 (sh)' });
      yield row(7, { event: 'approval.breached', approval: undefined, evidence: 'its hook' });
    },
  });
  const { out } = await inside(['audit', '--session', 'api', '--tool', 'Bash', '--by', 'ann', '--since', '1h']);
  expect(out.replaceAll(/^(\d) 2026-11-15T08:00:00.000Z api /gm, '$1 ').split('\n')).toEqual([
    '1 allowed Bash q1 by rules (allow Bash(x))',
    '2 denied Bash q1 by ann: no',
    '3 used Bash q1',
    '4 no longer needed: Bash q1',
    '5 rule by ann: allow Bash(x) always',
    '6 REFUSED: process 7 (sh) tried to decide about its own Bash q1',
    '7 USED WITHOUT APPROVAL: Bash (its hook)',
    '',
  ]);
  expect(daemon.inputsOf('audit.read')[0]).toMatchObject({ session: 'api', tool: 'Bash', by: 'ann' });
});

test('the shell completes the ids of pending approvals', async () => {
  const { inside } = await withDaemon({ 'approval.list': () => ({ approvals: [asked] }) });
  expect((await inside(['__complete', '--', 'approve', 'k'])).out).toBe('k7mpq2xw\tBash, api\n');
  expect((await inside(['__complete', '--', 'deny', 'x'])).out).toBe('');
});

test('saved rules are listed by workspace', async () => {
  const rules = [{ workspace: '/w', effect: 'deny', text: 'Bash(rm:*)' }];
  const { inside } = await withDaemon({ 'rule.list': () => ({ rules }) });
  expect((await inside(['rules', 'list'])).out).toBe('deny   Bash(rm:*)  in /w\n');
  expect(JSON.parse((await inside(['rules', 'list', '--json'])).out)).toEqual({ rules });
});
