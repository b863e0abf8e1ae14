import { describe, expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot } from '../testing/sessions.ts';
import { type Actor, byPolicy, person } from './actor.ts';
import type { EventBody } from './event.ts';
import { say } from './say.ts';
import type { PromptId, Session } from './session.ts';
import type { Snapshot, Verdict } from './snapshot.ts';
import { backoffMs, exited, gone, spreadMs, tokenOf, unwanted } from './steps.ts';

const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'));
const at = (seq: number, id = 's1'): Session => ({ ...s, seq, id: id as Session['id'] });

describe('the spread of a session', () => {
  test('is the same on every call, and below its bound', () => {
    for (let seq = 1; seq < 200; seq += 1) {
      expect(spreadMs(at(seq), 1_000)).toBe(spreadMs(at(seq), 1_000));
      expect(spreadMs(at(seq), 1_000)).toBeLessThan(1_000);
      expect(spreadMs(at(seq), 1_000)).toBeGreaterThanOrEqual(0);
    }
    expect(spreadMs(s, 0)).toBe(0);
  });

  test('separates sessions that faulted together', () => {
    const all = Array.from({ length: 100 }, (_, i) => spreadMs(at(20, `01J9Z3K7QX${i}`), 240_000));
    expect(new Set(all.map((ms) => Math.floor(ms / 1_000))).size).toBeGreaterThan(60);
    const tenths = all.map((ms) => Math.floor(ms / 24_000));
    expect(new Set(tenths).size).toBe(10);
  });
});

test('a live agent whose terminal hung up was cut off by the host, unless it had just started', () => {
  const ended = (signal: string | null, terminalGone: boolean) =>
    ({
      is: 'dead',
      exit: { status: 1 },
      ...(signal !== null && { signal }),
      outputBytes: 1,
      drained: true,
      exitAgeMs: 0,
      failed: null,
      terminalGone,
    }) as const;
  const faultAt = (
    signal: string | null,
    nowMs: number,
    verdict: Snapshot['verdict'] = 'crashed',
    isGone = false,
  ): unknown => {
    const step = gone(s, snapshot({ terminal: ended(signal, isGone), verdict }), nowMs);
    const last = step?.do === 'append' ? step.events.at(-1) : undefined;
    return last?.type === 'run.faulted' ? last.fault.kind : last?.type;
  };
  expect(faultAt('HUP', 60_000)).toBe('cut');
  expect(faultAt('HUP', 10_000)).toBe('exited');
  expect(faultAt('TERM', 60_000)).toBe('exited');
  expect(faultAt(null, 60_000, 'left')).toBe('session.closing');
  expect(faultAt(null, 60_000, 'unknown')).toBe('exited');
  expect(faultAt(null, 1_000, 'crashed', true)).toBe('cut');
});

const dead = { is: 'dead', outputBytes: 0, drained: true, exitAgeMs: 0, failed: null } as const;

test('a run that was killed in a planned restart, or in an earlier boot, was lost with the machine', () => {
  const exit = { status: 1 };
  const faultOf = (how: { signal?: string; verdict?: Verdict }, more: { planned?: boolean; boot?: string }): unknown =>
    exited(s, snapshot({ ...more, verdict: how.verdict ?? 'crashed' }), { ...dead, exit, ...how });
  expect(faultOf({ signal: 'TERM' }, {})).toEqual({ kind: 'exited', exit });
  // An agent that exits on request does not report why.
  for (const how of [...['HUP', 'KILL', 'TERM'].map((signal) => ({ signal })), { verdict: 'unknown' } as const]) {
    expect(faultOf(how, { planned: true })).toEqual({ kind: 'lost', reboot: false, planned: true });
    expect(faultOf(how, { boot: 'later' })).toEqual({ kind: 'lost', reboot: true });
  }
  // It exited by itself, whatever happened later.
  for (const more of [{ planned: true }, { boot: 'later' }]) {
    for (const how of [{}, { signal: 'SEGV' }, { verdict: 'finished' } as const])
      expect(faultOf(how, more)).toEqual({ kind: 'exited', exit });
  }
});

test('the backoff doubles up to its maximum, plus or minus a fifth', () => {
  const policy = { ...LIVE.policy, backoffMsMin: 1_000, backoffMsMax: 300_000 };
  const backoff = (times: number): number => backoffMs({ ...s, spec: { ...LIVE, policy } }, times);
  for (const [times, ms] of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000].entries()) {
    expect(backoff(times)).toBeGreaterThanOrEqual(ms * 0.8);
    expect(backoff(times)).toBeLessThanOrEqual(ms * 1.2);
  }
  // However many faults there were, the delay stays bounded.
  expect(backoff(5_000)).toBeLessThanOrEqual(360_000);
});

describe('the text for an agent', () => {
  const [prompt] = s.prompts;
  if (prompt === undefined) throw new Error('there is a prompt');

  test('is the prompt itself the first time', () => {
    expect(say(prompt)).toEqual({ token: 'p1#1', text: 'Do p1' });
    expect(say(undefined)).toBeNull();
  });

  test('says after an interruption how often that was, what is unknown and what it was asked', () => {
    const unknown = [
      { id: 'a', tool: 'Bash', input: '{"command":"git push"}' },
      { id: 'b', tool: 'Edit' },
    ];
    const text = say({ ...prompt, turn: 3, unknown })?.text ?? '';
    expect(text).toMatch(/^You were interrupted before you had finished \(this is time 3\)\./);
    expect(text).toContain('\n- Bash {"command":"git push"}\n- Edit\n');
    expect(text).toMatch(/Check what is already done before you repeat anything/);
    expect(text).toMatch(/You had been asked:\nDo p1$/);
  });

  test('names tool calls that had just ended, which the agent may not have written down', () => {
    const done = [{ id: 'a', tool: 'Bash', input: 'make' }];
    const text = say({ ...prompt, turn: 2, done, unknown: [{ id: 'b', tool: 'Edit' }] })?.text ?? '';
    expect(text).toMatch(/had ended, even if you cannot see that:\n- Bash make\nIt is not known .*:\n- Edit\nCheck/);
  });

  test('does not mention tool calls when none was open', () => {
    expect(say({ ...prompt, turn: 2 })?.text).not.toMatch(/tool calls/);
  });

  test('repeats a long prompt only in part', () => {
    const text = say({ ...prompt, turn: 2, text: `${'x'.repeat(500)}y` })?.text ?? '';
    expect(text.endsWith(`\n${'x'.repeat(500)}…`)).toBe(true);
    expect(say({ ...prompt, turn: 2, text: 'x'.repeat(500) })?.text.endsWith('x')).toBe(true);
  });

  test('has a token that is unique to each delivery', () => {
    expect([tokenOf(prompt), tokenOf({ ...prompt, turn: 2 })]).toEqual(['p1#1', 'p1#2']);
  });
});

test('a prompt that a person interrupted is unwanted, one that hung is not', () => {
  const by = (who: Actor): EventBody => ({ type: 'turn.interrupting', run: 1, by: who });
  const working = [...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'queued')];
  expect(unwanted(sessionAfter(LIVE, ...working))).toEqual([]);
  expect(unwanted(sessionAfter(LIVE, ...working, by(person('ana'))))).toMatchObject([
    { type: 'prompt.interrupted', prompt: 'p1' },
  ]);
  expect(unwanted(sessionAfter(LIVE, ...working, by(byPolicy('hang'))))).toEqual([]);
  expect(unwanted(sessionAfter(LIVE, ...working, by(byPolicy('hang')), by(person('ana'))))).toHaveLength(1);
});

test('the images of a prompt are sent with it, and again with what continues its turn', () => {
  const image = { name: 'a.png', type: 'image/png', bytes: 1, sha256: 'ff', path: 'images/ff.png' } as const;
  const queued = sessionAfter(LIVE, ...READY, {
    type: 'prompt.queued',
    prompt: 'p1' as PromptId,
    text: 'Look',
    images: [image],
  });
  const [first] = queued.prompts;
  expect(say(first)).toMatchObject({ text: 'Look', images: [image] });
  const again = first && say({ ...first, turn: 2 });
  expect([again?.text.startsWith('You were interrupted'), again?.images]).toEqual([true, [image]]);
  const [plain] = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')).prompts;
  expect(say(plain)).not.toHaveProperty('images');
});
