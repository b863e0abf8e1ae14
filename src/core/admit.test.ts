import { describe, expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody, Input } from './event.ts';
import { COMMAND } from './policy.ts';
import type { PromptId, Session } from './session.ts';

const p1 = 'p1' as PromptId;
const EXEC = { ...LIVE, drive: 'command', agent: 'command', policy: COMMAND } as const;
const ended: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: null } };
const stopped = { type: 'hook.stopped', run: 1, turnId: null, reply: 'Done.', trouble: null, more: false } as const;
const hello = { type: 'hook.prompted', run: 1, token: null, turnId: 'theirs', text: 'Hello?' } as const;

/** The types of the events that an input becomes, or the code with which it is refused. */
function admitted(s: Session, input: Input): string[] | string {
  const admission = admit(s, input);
  return admission.ok ? admission.events.map(({ type }) => type) : admission.code;
}

describe('a prompt', () => {
  test('is queued once per id', () => {
    const input: Input = { type: 'prompt', prompt: p1, text: 'Do p1' };
    expect(admitted(sessionAfter(LIVE, ...READY), input)).toEqual(['prompt.queued']);
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')), input)).toEqual([]);
  });

  test('keeps its images', () => {
    const images = [{ name: 'a.png', type: 'image/png', bytes: 1, sha256: 'ff', path: 'images/ff.png' }] as const;
    const admission = admit(sessionAfter(LIVE, ...READY), { type: 'prompt', prompt: p1, text: 'Look', images });
    expect(admission).toEqual({ ok: true, events: [{ type: 'prompt.queued', prompt: p1, text: 'Look', images }] });
  });

  test('is refused by a command and by an ended session, and cannot steer a run of one turn', () => {
    const input: Input = { type: 'prompt', prompt: p1, text: 'Do p1' };
    expect(admitted(sessionAfter(EXEC), input)).toBe('no_prompts');
    expect(admitted(sessionAfter(LIVE, ended), input)).toBe('session_ended');
    expect(admitted(sessionAfter(TURNS), { ...input, now: true })).toBe('no_steering');
  });

  test('can be dropped while it is queued or unsure or after it failed, but not while it may be running', () => {
    const drop: Input = { type: 'drop', prompt: p1, by: person('ana') };
    const unsure: EventBody = { type: 'prompt.unsure', prompt: p1, waitedMs: 1 };
    expect(admitted(sessionAfter(LIVE, ...READY), drop)).toBe('prompt_unknown');
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')), drop)).toEqual(['prompt.dropped']);
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), drop)).toBe('busy');
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted')), drop)).toBe('busy');
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'), unsure), drop)).toEqual([
      'prompt.dropped',
    ]);
    const failed: EventBody = { type: 'prompt.troubled', prompt: p1, trouble: { kind: 'billing' }, text: '' };
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), failed), drop)).toEqual([
      'prompt.dropped',
    ]);
  });
});

describe('a request for control', () => {
  test('interrupts only a running turn, also one that a person started', () => {
    const interrupt: Input = { type: 'interrupt', by: person('ana') };
    const theirs: EventBody = { type: 'turn.started', run: 1, text: 'Hello?', turnId: 'theirs' };
    expect(admitted(sessionAfter(LIVE, ...READY), interrupt)).toBe('not_working');
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted')), interrupt)).toEqual([
      'turn.interrupting',
    ]);
    expect(admitted(sessionAfter(LIVE, ...READY, theirs), interrupt)).toEqual(['turn.interrupting']);
  });

  test('T-INT-1 interrupts an agent that asks to use a tool, but not one that asks anything else', () => {
    const interrupt: Input = { type: 'interrupt', by: person('ana') };
    const held = (about?: 'tool'): EventBody => ({
      type: 'session.held',
      run: 1,
      why: { kind: 'asks', ...(about && { about }), text: '' },
    });
    const working = [...READY, ...prompted('p1', 'accepted')];
    expect(admitted(sessionAfter(LIVE, ...working, held('tool')), interrupt)).toEqual(['turn.interrupting']);
    expect(admitted(sessionAfter(LIVE, ...working, held()), interrupt)).toBe('not_working');
  });

  test('T-KEYS-1 keys are refused after a hand-off, until control is handed back', () => {
    const off: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    const back: EventBody = { type: 'control.returned', by: person('ana') };
    const size: Input = { type: 'write', what: 'size', bytes: 0 };
    for (const what of ['keys', 'bytes', 'paste', 'eof'] as const) {
      const keys: Input = { type: 'write', what, bytes: 1 };
      expect(admitted(sessionAfter(LIVE, ...READY, off), keys)).toBe('handed_off');
      expect(admitted(sessionAfter(LIVE, ...READY, off, back), keys)).toEqual(['run.written']);
    }
    expect(admitted(sessionAfter(LIVE, ...READY, off), size)).toEqual(['run.written']);
  });

  test('hands control off once and back once', () => {
    const off: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    expect(admitted(sessionAfter(LIVE, ...READY), { type: 'hand-back', by: person('ana') })).toEqual([]);
    expect(admitted(sessionAfter(LIVE, ...READY), { type: 'hand-off', by: person('ana') })).toEqual(['control.taken']);
    expect(admitted(sessionAfter(LIVE, ...READY, off), { type: 'hand-off', by: person('ana') })).toEqual([]);
    expect(admitted(sessionAfter(LIVE, ...READY, off), { type: 'hand-back', by: person('ana') })).toEqual([
      'control.returned',
    ]);
  });

  test('protects a session that was handed off from a stop, unless it is forced', () => {
    const s = sessionAfter(LIVE, ...READY, { type: 'control.taken', by: person('ana'), how: 'handoff' });
    expect(admitted(s, { type: 'stop', by: person('bob') })).toBe('handed_off');
    expect(admitted(s, { type: 'stop', by: person('bob'), force: true })).toEqual(['session.closing']);
    const attached = sessionAfter(LIVE, ...READY, { type: 'control.taken', by: person(null), how: 'attach' });
    expect(admitted(attached, { type: 'stop', by: person('bob') })).toEqual(['session.closing']);
  });

  test('starts a visit only between turns, and once', () => {
    const visit: Input = { type: 'visit', by: person('ana') };
    expect(admitted(sessionAfter(TURNS), visit)).toEqual(['visit.wanted']);
    expect(admitted(sessionAfter(TURNS, { type: 'visit.wanted', by: person('ana') }), visit)).toEqual([]);
    expect(admitted(sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2)), visit)).toBe('busy');
  });
});

test('only an agent session that has ended and was not removed can be resumed', () => {
  const resume: Input = { type: 'resume', by: person('ana') };
  expect(admitted(sessionAfter(LIVE, ...READY), resume)).toBe('session_live');
  expect(admitted(sessionAfter(LIVE, ended), resume)).toEqual(['session.resumed']);
  expect(admitted(sessionAfter(LIVE, ended, { type: 'session.removed', by: person('ana') }), resume)).toBe(
    'session_live',
  );
  expect(admitted(sessionAfter(EXEC, ended), resume)).toBe('no_prompts');
});

test('a resume releases a session that waits for it or is limited, but does not answer a dialog', () => {
  const resume: Input = { type: 'resume', by: person('ana') };
  const held = (needsResume: boolean): Session =>
    sessionAfter(LIVE, ...READY, { type: 'session.held', run: 1, why: { kind: 'login', text: '', needsResume } });
  expect(admitted(held(true), resume)).toEqual(['session.released']);
  expect(admitted(held(false), resume)).toBe('session_live');
  const limited = sessionAfter(LIVE, ...READY, { type: 'session.limited', run: 1, untilMs: 9e12, text: '' });
  expect(admitted(limited, resume)).toEqual(['session.unlimited']);
});

describe('a report of too much memory', () => {
  const memory: Input = { type: 'memory', run: 1, bytes: 5 };
  const opened = READY.slice(0, 2);

  test('ends the run of an agent, and abandons a command', () => {
    expect(admitted(sessionAfter(LIVE, ...READY), memory)).toEqual(['run.faulted']);
    expect(admitted(sessionAfter(EXEC, ...opened), memory)).toEqual(['session.closing']);
  });

  test('is ignored for a run that has ended or faulted already', () => {
    expect(admitted(sessionAfter(LIVE, ...READY), { ...memory, run: 2 })).toEqual([]);
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 0 };
    expect(admitted(sessionAfter(LIVE, ...READY, fault), memory)).toEqual([]);
    const over: EventBody = { type: 'run.ended', run: 1, exit: { status: 0 }, outputBytes: 1, complete: true };
    expect(admitted(sessionAfter(TURNS, ...prompted('p1', 'sending'), ...opened, over), memory)).toEqual([]);
  });

  test('does not bring back a turn that was being interrupted', () => {
    const interrupting: EventBody = { type: 'turn.interrupting', run: 1, by: person('ana') };
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), interrupting);
    expect(admitted(s, memory)).toEqual(['prompt.interrupted', 'run.faulted']);
  });
});

describe('a hook report', () => {
  const working = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'));

  test('of another run, or after the end of the session, changes nothing', () => {
    expect(admitted(working, { ...stopped, run: 2 })).toEqual([]);
    expect(admitted(sessionAfter(LIVE, ...READY, ended), stopped)).toEqual([]);
  });

  test('about the same prompt counts once', () => {
    const received = { type: 'hook.prompted', run: 1, token: 'p1#1', turnId: 'turn of p1', text: 'Do p1' } as const;
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), received)).toEqual(['prompt.accepted']);
    expect(admitted(working, received)).toEqual([]);
    const over = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), {
      type: 'prompt.answered',
      prompt: p1,
      reply: 'Done.',
    });
    // After the answer it would look like a prompt that a person typed.
    expect(admitted(over, received)).toEqual([]);
    expect(admitted(over, { ...stopped, turnId: 'turn of p1' })).toEqual([]);
  });

  test('records the start and the end of a turn that a person began', () => {
    const ready = sessionAfter(LIVE, ...READY);
    expect(admitted(ready, hello)).toEqual(['turn.started']);
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), hello)).toEqual(['turn.started']);
    expect(admitted(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), { ...hello, token: 'p1#2' })).toEqual([
      'turn.started',
    ]);
    const theirs = sessionAfter(LIVE, ...READY, { type: 'turn.started', run: 1, text: 'Hello?', turnId: 'theirs' });
    expect(admitted(theirs, { ...hello, turnId: 'another' })).toEqual([]);
    expect(admitted(theirs, { ...stopped, turnId: 'theirs' })).toEqual(['turn.ended']);
    expect(admitted(theirs, { ...stopped, turnId: 'unheard of' })).toEqual([]);
  });

  test("about the end of a person's turn does not answer our prompt", () => {
    const both = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), {
      type: 'turn.started',
      run: 1,
      text: 'Hello?',
      turnId: 'theirs',
    });
    expect(admitted(both, { ...stopped, turnId: 'theirs' })).toEqual(['turn.ended']);
    expect(admitted(both, { ...stopped, turnId: 'turn of p1' })).toEqual(['prompt.answered']);
  });

  test('about the end of a turn answers the prompts steered into it, but not those still being sent', () => {
    const steered = [...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'accepted', { now: true })];
    const bodies = admit(sessionAfter(LIVE, ...steered, ...prompted('p3', 'sending', { now: true })), {
      ...stopped,
      turnId: 'turn of p1',
    });
    expect(bodies.ok && bodies.events.map((body) => 'prompt' in body && body.prompt)).toEqual(['p1', 'p2']);
  });

  test('about the end of a turn releases a session that was held in it', () => {
    const why = { kind: 'question', text: '' };
    const held = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), { type: 'session.held', run: 1, why });
    expect(admitted(held, stopped)).toEqual(['session.released', 'prompt.answered']);
  });

  test('about a failure becomes trouble, which the next step handles because it knows the time', () => {
    expect(admitted(working, { ...stopped, trouble: { kind: 'other' } })).toEqual(['prompt.troubled']);
  });

  test('about a stop after which more follows does not answer the prompt of a run of one turn', () => {
    const turn = sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2));
    expect(admitted(turn, { ...stopped, more: true })).toEqual([]);
    expect(admitted(turn, stopped)).toEqual(['prompt.answered']);
  });

  test('records a tool call once, and its end once', () => {
    const called = { type: 'tool.called', run: 1, call: 'k', tool: 'Bash', input: '{}', subagent: null } as const;
    const over = { type: 'tool.ended', run: 1, call: 'k', tool: 'Bash', error: null, tookMs: 1 } as const;
    const note = (fact: typeof called | typeof over): Input => ({ type: 'hook.noted', run: 1, fact });
    expect(admitted(working, note(over))).toEqual([]);
    expect(admitted(working, note(called))).toEqual(['tool.called']);
    const calling = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), called);
    expect(admitted(calling, note(called))).toEqual([]);
    expect(admitted(calling, note(over))).toEqual(['tool.ended']);
  });
});
