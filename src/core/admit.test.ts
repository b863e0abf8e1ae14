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

/** The types of what an input becomes, or why it is refused. */
function says(s: Session, input: Input): string[] | string {
  const admission = admit(s, input);
  return admission.ok ? admission.events.map(({ type }) => type) : admission.code;
}

describe('a prompt', () => {
  test('is taken once under its id', () => {
    const input: Input = { type: 'prompt', prompt: p1, text: 'Do p1' };
    expect(says(sessionAfter(LIVE, ...READY), input)).toEqual(['prompt.queued']);
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')), input)).toEqual([]);
  });

  test('is not for a command, not for what has ended, and cannot be steered into a run of one turn', () => {
    const input: Input = { type: 'prompt', prompt: p1, text: 'Do p1' };
    expect(says(sessionAfter(EXEC), input)).toBe('no_prompts');
    expect(says(sessionAfter(LIVE, ended), input)).toBe('session_ended');
    expect(says(sessionAfter(TURNS), { ...input, now: true })).toBe('no_steering');
  });

  test('can be dropped while it waits, is unsure or has failed, not while it may be on its way', () => {
    const drop: Input = { type: 'drop', prompt: p1, by: person('ana') };
    const unsure: EventBody = { type: 'prompt.unsure', prompt: p1, waitedMs: 1 };
    expect(says(sessionAfter(LIVE, ...READY), drop)).toBe('prompt_unknown');
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')), drop)).toEqual(['prompt.dropped']);
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), drop)).toBe('busy');
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted')), drop)).toBe('busy');
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'), unsure), drop)).toEqual(['prompt.dropped']);
    const failed: EventBody = { type: 'prompt.troubled', prompt: p1, trouble: { kind: 'billing' }, text: '' };
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), failed), drop)).toEqual(['prompt.dropped']);
  });
});

describe('somebody who wants control', () => {
  test('interrupts only what works, also when somebody else began it', () => {
    const interrupt: Input = { type: 'interrupt', by: person('ana') };
    const theirs: EventBody = { type: 'turn.started', run: 1, text: 'Hello?', turnId: 'theirs' };
    expect(says(sessionAfter(LIVE, ...READY), interrupt)).toBe('not_working');
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted')), interrupt)).toEqual(['turn.interrupting']);
    expect(says(sessionAfter(LIVE, ...READY, theirs), interrupt)).toEqual(['turn.interrupting']);
  });

  test('T-INT-1 interrupts an agent that asks a person whether it may, and none that asks anything else', () => {
    const interrupt: Input = { type: 'interrupt', by: person('ana') };
    const held = (about?: 'tool'): EventBody => ({
      type: 'session.held',
      run: 1,
      why: { kind: 'asks', ...(about && { about }), text: '' },
    });
    const working = [...READY, ...prompted('p1', 'accepted')];
    expect(says(sessionAfter(LIVE, ...working, held('tool')), interrupt)).toEqual(['turn.interrupting']);
    expect(says(sessionAfter(LIVE, ...working, held()), interrupt)).toBe('not_working');
  });

  test('T-KEYS-1 keys are refused while a person has it, until it is handed back', () => {
    const off: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    const back: EventBody = { type: 'control.returned', by: person('ana') };
    const size: Input = { type: 'write', what: 'size', bytes: 0 };
    for (const what of ['keys', 'bytes', 'paste', 'eof'] as const) {
      const keys: Input = { type: 'write', what, bytes: 1 };
      expect(says(sessionAfter(LIVE, ...READY, off), keys)).toBe('handed_off');
      expect(says(sessionAfter(LIVE, ...READY, off, back), keys)).toEqual(['run.written']);
    }
    expect(says(sessionAfter(LIVE, ...READY, off), size)).toEqual(['run.written']);
  });

  test('hands off once and back once', () => {
    const off: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    expect(says(sessionAfter(LIVE, ...READY), { type: 'hand-back', by: person('ana') })).toEqual([]);
    expect(says(sessionAfter(LIVE, ...READY), { type: 'hand-off', by: person('ana') })).toEqual(['control.taken']);
    expect(says(sessionAfter(LIVE, ...READY, off), { type: 'hand-off', by: person('ana') })).toEqual([]);
    expect(says(sessionAfter(LIVE, ...READY, off), { type: 'hand-back', by: person('ana') })).toEqual([
      'control.returned',
    ]);
  });

  test('keeps what was handed off from being stopped, but not by force', () => {
    const s = sessionAfter(LIVE, ...READY, { type: 'control.taken', by: person('ana'), how: 'handoff' });
    expect(says(s, { type: 'stop', by: person('bob') })).toBe('handed_off');
    expect(says(s, { type: 'stop', by: person('bob'), force: true })).toEqual(['session.closing']);
    const attached = sessionAfter(LIVE, ...READY, { type: 'control.taken', by: person(null), how: 'attach' });
    expect(says(attached, { type: 'stop', by: person('bob') })).toEqual(['session.closing']);
  });

  test('visits turns only between them, and once', () => {
    const visit: Input = { type: 'visit', by: person('ana') };
    expect(says(sessionAfter(TURNS), visit)).toEqual(['visit.wanted']);
    expect(says(sessionAfter(TURNS, { type: 'visit.wanted', by: person('ana') }), visit)).toEqual([]);
    expect(says(sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2)), visit)).toBe('busy');
  });
});

test('only an agent that has ended and is still there is resumed', () => {
  const resume: Input = { type: 'resume', by: person('ana') };
  expect(says(sessionAfter(LIVE, ...READY), resume)).toBe('session_live');
  expect(says(sessionAfter(LIVE, ended), resume)).toEqual(['session.resumed']);
  expect(says(sessionAfter(LIVE, ended, { type: 'session.removed', by: person('ana') }), resume)).toBe('session_live');
  expect(says(sessionAfter(EXEC, ended), resume)).toBe('no_prompts');
});

test('a word releases what waits for one, and wakes what is limited; a dialog is not ended by it', () => {
  const resume: Input = { type: 'resume', by: person('ana') };
  const held = (word: boolean): Session =>
    sessionAfter(LIVE, ...READY, { type: 'session.held', run: 1, why: { kind: 'login', text: '', needsResume: word } });
  expect(says(held(true), resume)).toEqual(['session.released']);
  expect(says(held(false), resume)).toBe('session_live');
  const limited = sessionAfter(LIVE, ...READY, { type: 'session.limited', run: 1, untilMs: 9e12, text: '' });
  expect(says(limited, resume)).toEqual(['session.unlimited']);
});

describe('too much memory', () => {
  const memory: Input = { type: 'memory', run: 1, bytes: 5 };
  const opened = READY.slice(0, 2);

  test('breaks off the run of an agent, and gives up a command', () => {
    expect(says(sessionAfter(LIVE, ...READY), memory)).toEqual(['run.faulted']);
    expect(says(sessionAfter(EXEC, ...opened), memory)).toEqual(['session.closing']);
  });

  test('of a run that is over, or is broken already, is no news', () => {
    expect(says(sessionAfter(LIVE, ...READY), { ...memory, run: 2 })).toEqual([]);
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'cut' }, retryAtMs: 0 };
    expect(says(sessionAfter(LIVE, ...READY, fault), memory)).toEqual([]);
    const over: EventBody = { type: 'run.ended', run: 1, exit: { status: 0 }, outputBytes: 1, complete: true };
    expect(says(sessionAfter(TURNS, ...prompted('p1', 'sending'), ...opened, over), memory)).toEqual([]);
  });

  test('does not bring back what somebody wanted to end', () => {
    const interrupting: EventBody = { type: 'turn.interrupting', run: 1, by: person('ana') };
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), interrupting);
    expect(says(s, memory)).toEqual(['prompt.interrupted', 'run.faulted']);
  });
});

describe('a hook', () => {
  const working = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'));

  test('of another run, or after the end, changes nothing', () => {
    expect(says(working, { ...stopped, run: 2 })).toEqual([]);
    expect(says(sessionAfter(LIVE, ...READY, ended), stopped)).toEqual([]);
  });

  test('that tells of a prompt twice is believed once', () => {
    const heard = { type: 'hook.prompted', run: 1, token: 'p1#1', turnId: 'turn of p1', text: 'Do p1' } as const;
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), heard)).toEqual(['prompt.accepted']);
    expect(says(working, heard)).toEqual([]);
    const over = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), {
      type: 'prompt.answered',
      prompt: p1,
      reply: 'Done.',
    });
    // After its answer it would look like a prompt of somebody else.
    expect(says(over, heard)).toEqual([]);
    expect(says(over, { ...stopped, turnId: 'turn of p1' })).toEqual([]);
  });

  test("tells of somebody else's turn from its beginning to its end", () => {
    const ready = sessionAfter(LIVE, ...READY);
    expect(says(ready, hello)).toEqual(['turn.started']);
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), hello)).toEqual(['turn.started']);
    expect(says(sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending')), { ...hello, token: 'p1#2' })).toEqual([
      'turn.started',
    ]);
    const theirs = sessionAfter(LIVE, ...READY, { type: 'turn.started', run: 1, text: 'Hello?', turnId: 'theirs' });
    expect(says(theirs, { ...hello, turnId: 'another' })).toEqual([]);
    expect(says(theirs, { ...stopped, turnId: 'theirs' })).toEqual(['turn.ended']);
    expect(says(theirs, { ...stopped, turnId: 'unheard of' })).toEqual([]);
  });

  test("of the end of a person's turn does not answer ours", () => {
    const both = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), {
      type: 'turn.started',
      run: 1,
      text: 'Hello?',
      turnId: 'theirs',
    });
    expect(says(both, { ...stopped, turnId: 'theirs' })).toEqual(['turn.ended']);
    expect(says(both, { ...stopped, turnId: 'turn of p1' })).toEqual(['prompt.answered']);
  });

  test('of the end of a turn answers what was steered into it, and not what is still on its way', () => {
    const steered = [...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'accepted', { now: true })];
    const bodies = admit(sessionAfter(LIVE, ...steered, ...prompted('p3', 'sending', { now: true })), {
      ...stopped,
      turnId: 'turn of p1',
    });
    expect(bodies.ok && bodies.events.map((body) => 'prompt' in body && body.prompt)).toEqual(['p1', 'p2']);
  });

  test('of the end of a turn tells that nobody is needed for it any more', () => {
    const why = { kind: 'question', text: '' };
    const held = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), { type: 'session.held', run: 1, why });
    expect(says(held, stopped)).toEqual(['session.released', 'prompt.answered']);
  });

  test('of a failure is trouble, which is dealt with by who knows the time', () => {
    expect(says(working, { ...stopped, trouble: { kind: 'other' } })).toEqual(['prompt.troubled']);
  });

  test('of an end that is none yet is not the last word of a run of one turn', () => {
    const turn = sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2));
    expect(says(turn, { ...stopped, more: true })).toEqual([]);
    expect(says(turn, stopped)).toEqual(['prompt.answered']);
  });

  test('notes a tool call once, and its end once', () => {
    const called = { type: 'tool.called', run: 1, call: 'k', tool: 'Bash', input: '{}', subagent: null } as const;
    const over = { type: 'tool.ended', run: 1, call: 'k', tool: 'Bash', error: null, tookMs: 1 } as const;
    const note = (fact: typeof called | typeof over): Input => ({ type: 'hook.noted', run: 1, fact });
    expect(says(working, note(over))).toEqual([]);
    expect(says(working, note(called))).toEqual(['tool.called']);
    const calling = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), called);
    expect(says(calling, note(called))).toEqual([]);
    expect(says(calling, note(over))).toEqual(['tool.ended']);
  });
});
