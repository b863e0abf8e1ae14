import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claudeActions } from '../../src/agent/claude/actions.ts';
import { claude } from '../../src/agent/claude/claude.ts';
import type { HandlerInput } from '../../src/api/contract.ts';
import { realClock } from '../../src/base/clock.ts';
import { callerProof } from '../../src/client/caller.ts';
import { admit } from '../../src/core/admit.ts';
import type { EventBody, Input, InputId } from '../../src/core/event.ts';
import type { Session, SessionId } from '../../src/core/session.ts';
import { approvalDecide as decide } from '../../src/daemon/calls/approval-decide.ts';
import { approvalList as list } from '../../src/daemon/calls/approval-list.ts';
import { saidWith } from '../../src/daemon/gate/answers.ts';
import { GateRules } from '../../src/daemon/gate/rules.ts';
import type { Parts } from '../../src/daemon/serve/parts.ts';
import { refusal } from '../../src/daemon/start/refusals.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { sqliteJournal } from '../../src/journal/sqlite.ts';
import { answerHooks } from '../../src/supervisor/answers.ts';
import { drainSpool } from '../../src/supervisor/spool.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { asked, prompted, READY, TURNS } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const ASK = join(import.meta.dirname, '../../src/terminal/ask.sh');
const opened: { state: string; journal: Journal; hooks: ChildProcess[] }[] = [];
afterEach(() => {
  for (const { state, journal, hooks } of opened.splice(0)) {
    for (const hook of hooks) end(hook);
    journal.close();
    rmSync(state, { recursive: true, force: true });
  }
});

/** Ends a hook and its timer. One that has its answer has exited, and its pid may be another process by now. */
function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

type Wanted = Partial<HandlerInput<'approval.decide'>>;

/** A gated session in a real journal, with real hooks and the parts of the daemon that answer them. */
function gatedSession() {
  const state = mkdtempSync(join(tmpdir(), 'ol-decide-'));
  const workspace = join(state, 'workspace');
  const journal = sqliteJournal(join(state, 'outlast.db'));
  const clock = realClock();
  const hooks: ChildProcess[] = [];
  opened.push({ state, journal, hooks });
  const id = 's1' as SessionId;
  const ref = { session: id, run: 1 };
  const { spool } = runFolder(state, ref);
  for (const folder of [workspace, spool, join(state, 'news')]) mkdirSync(folder, { recursive: true });
  const conversation = { gate: { mode: 'gate', rules: {} } } as unknown as NonNullable<Session['spec']['conversation']>;
  const spec = { ...TURNS, name: 'api', workspace, conversation, policy: { ...TURNS.policy, approvalMsMax: 60_000 } };
  const write = (events: EventBody[], cause: InputId | null = null): void => {
    const afterSeq = journal.find(id)?.session.seq ?? 0;
    journal.append({ session: id, afterSeq, events, cause, atMs: clock.wallMs(), steadyMs: clock.steadyMs() });
  };
  write([{ type: 'session.created', spec }, ...READY, ...prompted('p1', 'accepted')]);
  const now = (): Session => {
    const row = journal.find(id);
    if (row === null) throw new Error('the session is there');
    return row.session;
  };
  let count = 0;
  const take = (input: Input, cause = `input${count++}` as InputId): void => {
    if (journal.taken(cause) !== null) return;
    const admission = admit(now(), input);
    if (!admission.ok) throw refusal(now(), admission.code);
    write([...admission.events], cause);
  };
  const rules = new GateRules({
    state,
    config: () => ({}),
    home: () => '/home/ann',
    actions: (_, ...call) => claudeActions(...call),
  });
  const parts = {
    journal,
    clock,
    rules,
    log: () => {},
    sessions: {
      find: () => ({ session: now() }),
      submit: (_: Session, input: Input) => take(input),
      asking: () => [now()].filter(({ gate: { approvals } }) => approvals.length > 0),
    },
  } as unknown as Parts;
  const between = {
    state,
    clock,
    log: () => {},
    submit: (_: Session, cause: InputId, input: Input) => take(input, cause),
    submitAll: () => {},
    now,
    said: (session: SessionId, seq: number) => saidWith(journal, session, seq),
    judge: (session: Session, call: Parameters<GateRules['judge']>[1]) => rules.judge(session, call),
  };
  return {
    state,
    journal,
    rules,
    workspace,
    now,
    write,
    /** Runs a hook as the agent does; resolves with what it prints. */
    ask: (tool: string, input: object, call: string): Promise<string> => {
      const child = spawn('sh', [ASK, spool, join(state, 'news'), 's1.1', '30', '{"late":1}', '{"unasked":1}'], {
        stdio: ['pipe', 'pipe', 'ignore'],
        detached: true,
      });
      hooks.push(child);
      const payload = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: call };
      child.stdin.end(JSON.stringify({ session_id: 'c1', ...payload }));
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      return new Promise((done) => child.once('close', () => done(output)));
    },
    /** Waits until this many approvals are in the journal. */
    questions: (many: number): Promise<unknown> =>
      eventually(() => {
        drainSpool(between, now(), ref, claude);
        return now().gate.approvals.length === many;
      }),
    tell: () => answerHooks(between, now(), ref, claude.gate),
    open: () => list(parts, {}).approvals,
    decide: (which: string, allow: boolean, more: Wanted = {}) =>
      decide(parts, { which, allow, alike: false, by: 'ann', caller: callerProof({}), ...more }),
    hooks,
    spool,
  };
}

const decisionIn = (output: string): { permissionDecision: string; permissionDecisionReason: string } =>
  JSON.parse(output).hookSpecificOutput;

test('many approvals at once: each hook gets its own decision, in whatever order they are made', async () => {
  const { ask, questions, open, decide, tell, now } = gatedSession();
  const calls = Array.from({ length: 20 }, (_, i) => i);
  // Half of them ask about the same call: only the hook differs.
  const output = calls.map((i) => ask('Bash', { command: `echo ${i % 10}` }, `call${i}`));
  await questions(20);
  const shown = open();
  expect(new Set(shown.map(({ id }) => id)).size).toBe(20);
  for (const { id, call } of shown.toReversed()) decide(id, Number(call?.slice(4)) % 3 === 0, { why: `for ${call}` });
  tell();
  const answers = (await Promise.all(output)).map(decisionIn);
  expect(answers.map(({ permissionDecision }) => permissionDecision)).toEqual(
    calls.map((i) => (i % 3 === 0 ? 'allow' : 'deny')),
  );
  expect(answers.map(({ permissionDecisionReason: why }) => why.replace(/^.*for call/, ''))).toEqual(calls.map(String));
  expect(now().gate.approvals).toEqual([]);
});

test('a session can be named instead of its approval only while it has exactly one', async () => {
  const { ask, questions, open, decide } = gatedSession();
  void ask('Bash', { command: 'one' }, 'c1');
  void ask('Bash', { command: 'two' }, 'c2');
  await questions(2);
  const [first, second] = open().map(({ id }) => id);
  expect(() => decide('api', true)).toThrow(`api has 2 pending approvals: ${first}, ${second}; give the id of one`);
  decide(first ?? '', true);
  expect(decide('api', false).decided).toMatchObject([{ approval: second, allow: false }]);
  expect(() => decide('api', true)).toThrow('api has no pending approval');
  expect(() => decide(second ?? '', true)).toThrow(`${second} was already denied by ann`);
  expect(() => decide('nothing', true)).toThrow('there is no pending approval "nothing"');
});

test('a decision for a hook that is gone changes nothing, and says so', async () => {
  const { ask, questions, open, decide, tell, now, hooks, journal } = gatedSession();
  void ask('Bash', { command: 'one' }, 'c1');
  await questions(1);
  const [{ id } = { id: '' }] = open();
  for (const hook of hooks) end(hook);
  await eventually(() => {
    tell();
    return now().gate.approvals.length === 0;
  });
  expect(() => decide(id, true)).toThrow(`there is no pending approval "${id}"`);
  expect(journal.audit({ after: 0, limit: 9 }).map(({ record }) => JSON.parse(record).event)).toEqual([
    'approval.missed',
  ]);
});

test('an edit is bound to its call; a dialog and a denial accept no edit', async () => {
  const { ask, questions, open, decide, tell, now, write } = gatedSession();
  const output = ask('Bash', { command: 'asked' }, 'c1');
  await questions(1);
  expect(() => decide('api', false, { edit: { command: 'x' } })).toThrow('a denied call cannot be changed');
  expect(() => decide('api', true, { edit: { command: 'x' }, keep: 'always' })).toThrow(
    'a changed call cannot be combined with a rule',
  );
  const [{ hash } = { hash: '' }] = open();
  decide('api', true, { edit: { command: 'changed' } });
  tell();
  expect(JSON.parse(await output).hookSpecificOutput).toMatchObject({ updatedInput: { command: 'changed' } });
  const [answer] = now().gate.answers;
  expect([answer?.hash, answer?.granted === hash]).toEqual([hash, false]);
  write([asked('q1', { hook: '' }), asked('q2', { hook: '' })]);
  write([{ type: 'approval.shown', approval: 'q2' as never, run: 1, hook: 'h2' }]);
  for (const dialog of ['q1', 'q2']) {
    expect(() => decide(dialog, true, { edit: { command: 'x' } })).toThrow('shows a dialog about this call');
  }
});

test('no caller can use a name that is reserved for Outlast', async () => {
  const { ask, questions, decide } = gatedSession();
  void ask('Bash', { command: 'one' }, 'c1');
  await questions(1);
  for (const by of ['rules', 'timeout', 'a person at its screen']) {
    expect(() => decide('api', true, { by })).toThrow('is a reserved name');
  }
});

test('a rule is saved only with a decision, and only if it matches the call', async () => {
  const { ask, questions, decide, rules, workspace, now } = gatedSession();
  void ask('Bash', { command: 'npm test' }, 'c1');
  await questions(1);
  expect(() => decide('api', true, { rule: 'Bash(npm:*)' })).toThrow('a rule needs a scope');
  expect(() => decide('api', true, { keep: 'always', rule: 'Bash(yarn:*)' })).toThrow('does not allow this call');
  expect(() => decide('api', true, { keep: 'always', caller: undefined })).toThrow('the deciding process is unknown');
  expect(rules.list()).toEqual([]);
  expect(decide('api', true, { keep: 'always', rule: 'Bash(npm:*)' }).rule).toBe('Bash(npm:*)');
  expect(rules.list()).toEqual([{ workspace, effect: 'allow', text: 'Bash(npm:*)' }]);
  expect(now().gate.rules).toEqual([{ effect: 'allow', text: 'Bash(npm:*)' }]);
});

test('a decided approval leaves no files', async () => {
  const { ask, questions, decide, tell, spool } = gatedSession();
  const output = ask('Bash', { command: 'one' }, 'c1');
  await questions(1);
  decide('api', true);
  tell();
  expect(decisionIn(await output).permissionDecision).toBe('allow');
  expect(readdirSync(spool)).toEqual([]);
});

test('no tool changes what the gate depends on, whatever is allowed', () => {
  const { now, rules, state } = gatedSession();
  for (const text of ['Write', 'Edit', 'Bash']) rules.keep(now().spec.workspace, { effect: 'allow', text });
  const verdict = (tool: string, input: object): string => rules.judge(now(), { tool, input, cwd: null }).verdict;
  const write = (name: string): string => verdict('Write', { file_path: join(state, name), content: '' });
  for (const name of ['rules.json', 'gates.json', 'outlast.db', 'outlast.db-wal', 'trust/x.json'])
    expect(write(name), name).toBe('deny');
  expect(write('sessions/s1/runs/1/spool/7.0.ask')).toBe('deny');
  expect(write('workspace/../rules.json')).toBe('deny');
  expect(write('workspace/rules.json')).toBe('allow');
  symlinkSync(state, join(state, 'workspace', 'link'));
  expect(write('workspace/link/rules.json')).toBe('deny');
  expect(verdict('Bash', { command: 'echo $((1 + 1))' })).toBe('allow');
});
