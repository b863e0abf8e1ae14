import { describe, expect, test } from 'vitest';
import {
  failed,
  LIVE,
  nextEvents,
  prompted,
  READY,
  sessionAfter,
  snapshot,
  stepOf,
  TURNS,
  troubled,
} from '../testing/sessions.ts';
import { person } from './actor.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { ConversationId, PromptId } from './session.ts';

const p1 = 'p1' as PromptId;
const TOO_LONG = { kind: 'too-long' } as const;
const POISONED = { kind: 'poisoned' } as const;
const GONE = { terminal: { is: 'absent' }, screen: { is: 'unknown' } } as const;
const OPEN = { transcript: { exists: true, received: [], turn: 'open', reply: '' } } as const;

describe.each([LIVE, TURNS])('a conversation that is too long, by $drive', (spec) => {
  const begun = nextEvents(troubled(spec, TOO_LONG));
  const command = begun[0]?.type === 'remedy.begun' ? begun[0].command : undefined;
  const ended = (ok: boolean): EventBody => ({
    ...{ type: 'remedy.ended', remedy: 'compact', prompt: command?.prompt as PromptId, ok, text: 'so' },
  });

  test('is compacted: the command goes before the prompt that failed', () => {
    expect(begun).toMatchObject([{ type: 'remedy.begun', remedy: 'compact', prompt: p1, why: 'Oh' }]);
    const s = troubled(spec, TOO_LONG, ...begun);
    expect(s.prompts.map(({ text, state }) => [text, state])).toEqual([
      ['/compact', 'queued'],
      ['Do p1', 'troubled'],
    ]);
    expect(nextEvents(s)[0]).toMatchObject({ type: 'prompt.sending', prompt: command?.prompt, turn: 1 });
  });

  test('repeats the prompt that failed after that, and is held the next time', () => {
    const s = troubled(spec, TOO_LONG, ...begun, ended(true));
    expect(s.prompts).toMatchObject([{ id: p1, state: 'queued', turn: 2 }]);
    const again = troubled(spec, TOO_LONG, ...begun, ended(true), ...prompted('p1', 'accepted').slice(1));
    const late = troubled(spec, TOO_LONG, ...begun, ended(true), failed(TOO_LONG));
    expect(again.recovery.remediation.tried).toEqual(['compact']);
    expect(nextEvents(late)).toMatchObject([{ type: 'session.held', why: { kind: 'too-long', needsResume: true } }]);
  });

  test('is held at once when the command failed', () => {
    const s = troubled(spec, TOO_LONG, ...begun, ended(false));
    expect(nextEvents(s)).toMatchObject([{ type: 'session.held', why: { kind: 'too-long' } }]);
  });

  test('may be compacted again after an answer', () => {
    const more = prompted('p2', 'accepted');
    const answered: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'Done.' };
    const s = troubled(spec, TOO_LONG, ...begun, ended(true), answered, ...more, failed(TOO_LONG, 'p2' as PromptId));
    const over = spec.drive === 'turns' ? { ...s, phase: { at: 'idle', run: 1, sinceMs: 0 } as const } : s;
    expect(nextEvents(over)).toMatchObject([{ type: 'remedy.begun', prompt: 'p2' }]);
  });

  test('is sent again when the agent compacts by itself in the next turn, and held the next time', () => {
    const itself = { compact: { by: 'next-turn' } } as const;
    const events = nextEvents(troubled(spec, TOO_LONG), itself);
    expect(events).toEqual([{ type: 'remedy.begun', remedy: 'compact', prompt: p1, why: 'Oh' }]);
    const s = troubled(spec, TOO_LONG, ...events);
    expect(s.prompts).toMatchObject([{ id: p1, state: 'queued', turn: 2 }]);
    expect([s.conversation.id, s.recovery.remediation]).toEqual(['c1', { tried: ['compact'], origin: null }]);
    const late = troubled(spec, TOO_LONG, ...events, failed(TOO_LONG));
    expect(nextEvents(late, itself)).toMatchObject([{ type: 'session.held', why: { kind: 'too-long' } }]);
  });

  test('is held when the agent has no such command', () => {
    expect(nextEvents(troubled(spec, TOO_LONG), { compact: null })).toMatchObject([{ type: 'session.held' }]);
  });

  test('a command that meets a limit waits for it, one that is refused has failed', () => {
    const id = command?.prompt as PromptId;
    const limited = troubled(spec, TOO_LONG, ...begun, failed({ kind: 'limited', untilMs: null }, id));
    expect(nextEvents(limited)).toMatchObject([{ type: 'session.limited' }]);
    for (const kind of ['too-long', 'poisoned', 'other'] as const) {
      const refused = troubled(spec, TOO_LONG, ...begun, failed({ kind }, id));
      expect(nextEvents(refused)).toMatchObject([{ type: 'remedy.ended', ok: false, text: 'Oh' }]);
    }
  });
});

describe('the command of a live agent', () => {
  const begun = nextEvents(troubled(LIVE, TOO_LONG));
  const id = begun[0]?.type === 'remedy.begun' ? (begun[0].command?.prompt as PromptId) : p1;
  const sending: EventBody = { type: 'prompt.sending', prompt: id, turn: 1, run: 1 };
  const s = troubled(LIVE, TOO_LONG, ...begun, sending);
  const atMs = s.prompts[0]?.sinceMs ?? 0;

  test('is typed once, and has ended when the input box is empty again', () => {
    expect(next(s, snapshot({ tried: 'no' }), atMs)).toMatchObject({
      do: 'act',
      effect: { say: { text: '/compact' } },
    });
    expect(stepOf(s, { tried: 'yes' }, atMs + 100)).toBe('wait');
    expect(stepOf(s, { tried: 'yes' }, atMs + 1_500)).toMatchObject([{ type: 'remedy.ended', ok: true }]);
    // An earlier daemon may have typed it, so it is not typed again.
    expect(stepOf(s, { tried: 'unknown' }, atMs + 1_500)).toMatchObject([{ type: 'remedy.ended', ok: true }]);
  });

  test('may take long, but not forever', () => {
    const busy = { tried: 'yes', screen: { is: 'busy' } } as const;
    expect(stepOf(s, busy, atMs + 60_000)).toBe('wait');
    const over = stepOf(s, busy, atMs + LIVE.policy.silenceMsMax);
    expect(over).toMatchObject([{ type: 'remedy.ended', ok: false }]);
    expect(troubled(LIVE, TOO_LONG, ...begun, sending, ...(over as EventBody[])).turn.stale).toBe('/compact');
  });

  test('that a caller sent may take long too, and ends as an answered prompt', () => {
    const queued: EventBody = { type: 'prompt.queued', prompt: p1, text: '/review', command: true };
    const fromCaller = sessionAfter(LIVE, ...READY, queued, ...prompted('p1', 'sending').slice(1));
    expect(stepOf(fromCaller, { tried: 'yes', screen: { is: 'busy' } }, 60_000)).toBe('wait');
    expect(stepOf(fromCaller, { tried: 'yes' }, 60_000)).toMatchObject([{ type: 'prompt.answered', prompt: p1 }]);
  });
});

describe('a conversation that is poisoned', () => {
  const opened = (conversation: string, run: number): EventBody => ({
    ...{ type: 'conversation.opened', run, conversation: conversation as ConversationId, transcript: '/t', source: '' },
  });

  test('continues as a copy in a run of its own (turns)', () => {
    const begun = nextEvents(troubled(TURNS, POISONED));
    expect(begun).toEqual([{ type: 'remedy.begun', remedy: 'fork', prompt: p1, why: 'Oh' }]);
    const s = troubled(TURNS, POISONED, ...begun);
    expect([s.conversation.id, s.recovery.remediation.origin, s.prompts[0]?.turn]).toEqual(['c1', 'c1', 2]);
    expect(nextEvents(s)).toMatchObject([{ type: 'prompt.sending' }, { type: 'run.starting', how: 'fork', run: 2 }]);
  });

  test('is held for a person where the agent cannot copy a conversation', () => {
    const s = troubled(TURNS, POISONED);
    expect(stepOf(s, { ...GONE, fork: false }, 9_000)).toMatchObject([{ type: 'session.held' }]);
  });

  test('its process ends before the copy starts (live)', () => {
    const begun = nextEvents(troubled(LIVE, POISONED));
    expect(begun).toMatchObject([{ type: 'remedy.begun' }, { type: 'run.faulted', run: 1, fault: { kind: 'cut' } }]);
    const s = troubled(LIVE, POISONED, ...begun);
    expect(next(s, snapshot(), 9_000)).toEqual({ do: 'act', effect: { kind: 'close', run: 1 } });
    expect(stepOf(s, GONE, 9_000)).toMatchObject([{ type: 'run.starting', how: 'fork', run: 2 }]);
    expect([s.recovery.faults, s.recovery.resumes]).toEqual([0, 0]);
  });

  test('its process is not ended while a person has control', () => {
    const taken: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
    expect(stepOf(troubled(LIVE, POISONED, taken), { viewers: 1 })).toBe('wait');
  });

  test('is copied again until the agent has named the copy, which is resumed from then on', () => {
    const begun = nextEvents(troubled(TURNS, POISONED));
    const started: EventBody[] = [
      { type: 'prompt.sending', prompt: p1, turn: 2, run: 2 },
      { type: 'run.starting', run: 2, how: 'fork', boot: 'b' },
      { type: 'run.opened', run: 2, pid: 8 },
    ];
    const faulted: EventBody = { type: 'run.faulted', run: 2, fault: { kind: 'lost', reboot: false }, retryAtMs: 0 };
    const unnamed = troubled(TURNS, POISONED, ...begun, ...started, faulted);
    expect(nextEvents(unnamed, OPEN).at(-1)).toMatchObject({ type: 'run.starting', how: 'fork', run: 3 });
    const named = troubled(TURNS, POISONED, ...begun, ...started, opened('c2', 2), faulted);
    expect(nextEvents(named, OPEN).at(-1)).toMatchObject({ type: 'run.starting', how: 'resume', run: 3 });
    const unwritten = { transcript: { ...OPEN.transcript, exists: false } };
    expect(nextEvents(named, unwritten).at(-1)).toMatchObject({ how: 'fork' });
  });

  test('is held when the copy is refused too', () => {
    const begun = nextEvents(troubled(TURNS, POISONED));
    const s = troubled(TURNS, POISONED, ...begun, failed(POISONED));
    expect(nextEvents(s)).toMatchObject([{ type: 'session.held', why: { kind: 'poisoned', needsResume: true } }]);
  });
});
