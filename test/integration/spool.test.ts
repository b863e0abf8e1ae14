import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import type { EventBody, Input, InputId } from '../../src/core/event.ts';
import type { PromptId, Session, SessionId } from '../../src/core/session.ts';
import { drainSpool } from '../../src/supervisor/spool.ts';
import { hookCommand } from '../../src/terminal/hook-command.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { LIVE, prompted, READY, sessionAfter } from '../../src/testing/sessions.ts';

const HOOK = join(import.meta.dirname, '../../src/terminal/hook.sh');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Submitted {
  readonly id: InputId;
  readonly input: Input;
}

function spool(...more: readonly EventBody[]) {
  const state = mkdtempSync(join(tmpdir(), 'ol-spool-'));
  folders.push(state);
  const session: Session = {
    ...sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'), ...more),
    id: 's1' as SessionId,
  };
  const ref = { session: session.id, run: 1 };
  const folder = runFolder(state, ref).spool;
  const signals = join(state, 'news');
  mkdirSync(folder, { recursive: true });
  mkdirSync(signals);
  const drain = (submit: (taken: Submitted) => void, submitAll?: (inputs: readonly Input[]) => void): void => {
    const parts = {
      state,
      submit: (_: Session, id: InputId, input: Input) => submit({ id, input }),
      submitAll: (_: Session, all: readonly Submitted[]) => {
        if (submitAll === undefined) all.forEach(submit);
        else submitAll(all.map(({ input }) => input));
      },
      now: (s: Session) => s,
      said: () => ({ why: '' }),
      judge: () => ({ verdict: 'ask', rule: null, why: '' }) as const,
      log: () => {},
      clock: clockAt(0),
    };
    drainSpool(parts, session, ref, claude);
  };
  /** What was written together. */
  const writes = (write: (inputs: readonly Input[]) => void = () => {}): Input[][] => {
    const all: Input[][] = [];
    drain(
      ({ input }) => all.push([input]),
      (inputs) => {
        write(inputs);
        all.push([...inputs]);
      },
    );
    return all;
  };
  const taken = (): Submitted[] => {
    const all: Submitted[] = [];
    drain((one) => all.push(one));
    return all;
  };
  return { folder, signals, drain, taken, writes };
}

function clockAt(ms: number) {
  return { wallMs: () => ms, steadyMs: () => ms, sleep: () => Promise.resolve() };
}

/** Runs the hook as an agent does. */
function hook(folder: string, signals: string, payload: string, program = HOOK): Promise<number | null> {
  const command = hookCommand({ program, spool: folder, reports: signals, name: 's1.1' });
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => {}); // The hook may not read it.
  child.stdin.end(payload);
  return new Promise((done) => child.once('close', done));
}

const started = (id: string): string =>
  JSON.stringify({ hook_event_name: 'SessionStart', session_id: id, source: 'startup' });
const conversations = (all: readonly Submitted[]): string[] =>
  all.flatMap(({ input }) => (input.type === 'hook.opened' ? [input.conversation] : []));

test('forty hooks at once lose nothing, and leave a file that wakes the daemon', async () => {
  const { folder, signals, taken } = spool();
  const ids = Array.from({ length: 40 }, (_, i) => `c${i}`);
  const ends = await Promise.all(ids.map((id) => hook(folder, signals, started(id))));
  expect(new Set(ends)).toEqual(new Set([0]));
  expect(conversations(taken()).sort()).toEqual(ids.sort());
  expect(readdirSync(signals)).toEqual(['s1.1']);
  expect(readdirSync(folder)).toEqual([]);
});

test('hook reports are ingested in the order in which they were made', () => {
  const { folder, taken } = spool();
  for (const [i, name] of ['9.0', '1.0', '5.0'].entries()) {
    writeFileSync(join(folder, name), started(name));
    utimesSync(join(folder, name), 100 + i, 100 + i);
  }
  expect(conversations(taken())).toEqual(['9.0', '1.0', '5.0']);
});

test('a late hook is matched to the prompt of Outlast in the transcript, and typed text to the person', () => {
  const prompt = 'p1' as PromptId;
  const seen = { type: 'prompt.accepted', prompt, turnId: null } as const;
  const { folder, taken } = spool(seen, { type: 'prompt.answered', prompt, reply: 'Done.' });
  for (const [i, text] of ['Do p1', 'Do something else'].entries()) {
    const payload = { hook_event_name: 'UserPromptSubmit', session_id: 'c1', prompt_id: `m${i}`, prompt: text };
    writeFileSync(join(folder, `${i}.0`), JSON.stringify(payload));
    utimesSync(join(folder, `${i}.0`), 100 + i, 100 + i);
  }
  const texts = taken().flatMap(({ input }) => (input.type === 'hook.prompted' ? [input.text] : []));
  expect(texts).toEqual(['Do something else']);
  expect(readdirSync(folder)).toEqual([]);
});

test('a payload that was not removed comes again under its id; a later one under its name does not', () => {
  const { folder, drain, taken } = spool();
  writeFileSync(join(folder, '7.0'), started('a'));
  utimesSync(join(folder, '7.0'), 100, 100);
  let first: InputId | null = null;
  const crash = (): never => {
    throw new Error('killed');
  };
  expect(() =>
    drain(({ id }) => {
      first = id;
      crash();
    }),
  ).toThrow('killed');
  expect(taken().map(({ id }) => id)).toEqual([first]);
  writeFileSync(join(folder, '7.0'), started('a'));
  expect(taken().map(({ id }) => id)).not.toContain(first);
});

test('hook reports are written together, and removed when durable; those about prompts one by one', () => {
  const { folder, writes, taken } = spool();
  const about = { session_id: 'c1', agent_type: 'x' };
  const says = (i: number, fields: object): void => {
    writeFileSync(join(folder, `${i}.0`), JSON.stringify({ ...about, ...fields }));
    utimesSync(join(folder, `${i}.0`), 100 + i, 100 + i);
  };
  for (let i = 0; i < 250; i += 1) says(i, { hook_event_name: 'SubagentStart', agent_id: `a${i}` });
  says(250, { hook_event_name: 'UserPromptSubmit', prompt: 'hello', prompt_id: 'm' });
  says(251, { hook_event_name: 'SubagentStart', agent_id: 'last' });
  const full = (): never => {
    throw new Error('the disk is full');
  };
  expect(() => writes(full)).toThrow('full');
  expect(readdirSync(folder)).toHaveLength(252);
  const all = writes();
  expect(all.map((one) => one.filter(({ type }) => type !== 'hook.opened').length).filter((n) => n > 0)).toEqual([
    ...[100, 100, 50, 1, 1],
  ]);
  expect(all.flat().at(-1)).toMatchObject({ fact: { subagent: 'last' } });
  expect([readdirSync(folder), taken()]).toEqual([[], []]);
});

test('a payload that cannot be read is set aside and blocks no other', () => {
  const { folder, taken } = spool();
  writeFileSync(join(folder, '1.0'), '{"hook_event_name": "Stop');
  writeFileSync(join(folder, '2.0'), started('b'));
  writeFileSync(join(folder, '3.0.tmp'), started('half written'));
  expect(conversations(taken())).toEqual(['b']);
  expect(readdirSync(folder).sort()).toEqual(['1.0.tmp', '3.0.tmp']);
  expect(taken()).toEqual([]);
});

test('a payload counts when it is complete, from a current hook, or from an older one that renamed it', () => {
  const { folder, taken } = spool();
  writeFileSync(join(folder, '1.0.tmp'), started('today'));
  writeFileSync(join(folder, '1.0'), '');
  writeFileSync(join(folder, '2.0'), started('older'));
  expect(conversations(taken()).sort()).toEqual(['older', 'today']);
  writeFileSync(join(folder, '3.0'), '');
  expect(taken()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a prompt is matched by its text, however the agent changed it; any other belongs to a person', () => {
  const { folder, taken } = spool();
  const submit = (prompt: string): string =>
    JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt_id: 'm', prompt });
  const tokenFor = (text: string): string | null => {
    writeFileSync(join(folder, '1.0'), submit(text));
    const [one] = taken().flatMap(({ input }) => (input.type === 'hook.prompted' ? [input.token] : []));
    return one ?? null;
  };
  expect(tokenFor('Do p1')).toBe('p1#1');
  expect(tokenFor('Do p1  \r\n')).toBe('p1#1');
  expect(tokenFor('Do p2')).toBeNull();
});

test('a hook whose spool is gone still exits with 0', async () => {
  const { folder, signals } = spool();
  rmSync(folder, { recursive: true });
  expect(await hook(folder, signals, started('x'))).toBe(0);
});

test('a hook whose program is missing does not look like a denial', async () => {
  const { folder, signals } = spool();
  expect(await hook(folder, signals, started('x'), join(folder, 'gone.sh'))).toBe(0);
});

test('a hook finds its folders whatever characters their names have', async () => {
  const { folder, taken } = spool();
  const odd = join(folder, '..', "it's $HOME; `here`");
  mkdirSync(odd);
  expect(await hook(folder, odd, started('x'))).toBe(0);
  expect(conversations(taken())).toEqual(['x']);
  expect(readdirSync(odd)).toEqual(['s1.1']);
});
