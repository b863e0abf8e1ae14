import { expect, test } from 'vitest';
import type { Agent } from '../../agent/seam/agent.ts';
import type { LogLine } from '../../api/logs-shape.ts';
import { person } from '../../core/actor.ts';
import type { Event, EventBody } from '../../core/event.ts';
import type { PromptId, SessionId } from '../../core/session.ts';
import { asked, decided, TURNS } from '../../testing/sessions.ts';
import { LogAgents } from './log-agents.ts';
import { LogMerge } from './merge.ts';

const record = { keysOf: (text: string) => [text.trim()] };
const fake = { name: 'fake', record, actions: (_: string, input: unknown) => [{ is: 'shell', command: input }] };
const agents = new LogAgents({ fake: fake as unknown as Agent }, () => 'fake');
const p1 = 'p1' as PromptId;
const p2 = 'p2' as PromptId;
const GO: EventBody = { type: 'prompt.queued', prompt: p1, text: 'go' };
const SENDING: EventBody = { type: 'prompt.sending', prompt: p1, turn: 1, run: 1 };
const CALLED: EventBody = { type: 'tool.called', run: 1, call: 'c', tool: 'Bash', input: '"ls"', subagent: null };
const ENDED: EventBody = { type: 'tool.ended', run: 1, call: 'c', tool: 'Bash', error: null, tookMs: 5 };
const ANSWERED: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'Done.' };
const OVER: EventBody = { type: 'session.ended', outcome: { kind: 'done', exit: null } };

function eventsOf(bodies: readonly EventBody[], seq = 0): Event[] {
  return bodies.map((body, i) => ({
    ...{ session: 's' as SessionId, seq: seq + i + 1, atMs: 1_000 * (seq + i), steadyMs: 0, cause: null, body },
  }));
}

const text = (words: string): object => ({ is: 'text', text: words });
const call = (result: object | null): object => ({ is: 'call', id: 'c', name: 'Bash', input: 'ls', result });
const RESULT = { id: 'c', text: 'a', images: 0, isError: false };
const turn = (prompt: string, ...steps: object[]) => ({ prompt, markdown: () => '', data: { steps }, agent: 'fake' });
const never = (): boolean => false;
const always = (): boolean => true;
const shown = (lines: readonly LogLine[]): string[] => lines.map((line) => `${line.is} ${line.text}`);

test('the record is put between the events that it belongs to', () => {
  const events = eventsOf([{ type: 'session.created', spec: TURNS }, GO, SENDING, CALLED, ENDED, ANSWERED, OVER]);
  const turns = [turn('go', text('I look.'), call(RESULT), text('Done.'))];
  const lines = new LogMerge(agents).take(events, turns, never);
  expect(shown(lines)).toEqual([
    ...['event fake in /w', 'prompt go', 'text I look.', 'call Bash', 'text Done.'],
    ...['event answered after 3.0s', 'end ended: done, after 6.0s'],
  ]);
  expect(lines[3]?.call).toMatchObject({ ended: true, tookMs: 5, result: { text: 'a' } });
});

test('it is the same whether it is read at once or as it happens', () => {
  const events = eventsOf([{ type: 'session.created', spec: TURNS }, GO, SENDING, CALLED, ENDED, ANSWERED]);
  const whole = [turn('go', text('I look.'), call(RESULT), text('Done.'))];
  const steps = [[], [], [], [turn('go', text('I look.'), call(null))], whole.map((t) => t), whole];
  const merge = new LogMerge(agents);
  const live = events.flatMap((event, i) => merge.take([event], steps[i] ?? [], always));
  const once = new LogMerge(agents).take(events, whole, never);
  expect([...new Set(live.map(({ id }) => id))]).toEqual(once.map(({ id }) => id));
});

test('an event waits for the record, and is told without it when that takes too long', () => {
  const merge = new LogMerge(agents);
  const begun = merge.take(eventsOf([GO, SENDING, CALLED]), [], always);
  expect([shown(begun), merge.isWaiting]).toEqual([['prompt go'], true]);
  expect(shown(merge.take([], [], never))).toEqual(['call Bash']);
  // The record comes late: the text before the call too.
  expect(shown(merge.take([], [turn('go', text('I look.'), call(null))], never))).toEqual(['text I look.']);
});

test('a reply that the agent does not record is told from the journal, and not again when it is recorded', () => {
  const merge = new LogMerge(agents);
  expect(shown(merge.take(eventsOf([GO, SENDING, ANSWERED]), [], never))).toEqual([
    ...['prompt go', 'text Done.', 'event answered after 1.0s'],
  ]);
  expect(shown(merge.take([], [turn('go', text('Done.'))], never))).toEqual([]);
});

test('turns of somebody else and continuations of ours', () => {
  const queued: EventBody = { type: 'prompt.queued', prompt: p2, text: 'more' };
  const sending: EventBody = { type: 'prompt.sending', prompt: p2, turn: 1, run: 1 };
  const again: EventBody = { type: 'prompt.sending', prompt: p1, turn: 2, run: 2 };
  const interrupted = 'You were interrupted before you had finished (this is time 2). You had been asked: go';
  const turns = [
    turn('go', text('A')),
    turn(interrupted, text('B')),
    turn('typed', text('C')),
    turn('more', text('D')),
  ];
  const lines = new LogMerge(agents).take(eventsOf([GO, SENDING, again, queued, sending]), turns, never);
  expect(shown(lines)).toEqual([
    ...['prompt go', 'text A', 'event continues after the interruption (try 2)', 'text B'],
    ...['prompt typed', 'text C', 'prompt more', 'text D'],
  ]);
});

test('a question is told unless a rule answers it at once', () => {
  const merge = new LogMerge(agents);
  const lines = merge.take(
    eventsOf([
      asked('a', { call: null }),
      { ...decided('a', true), rule: 'allow Bash' } as EventBody,
      asked('b', { call: null }),
      decided('b', true),
      asked('c', { call: null }),
    ]),
    [],
    never,
  );
  expect(lines.map((line) => [line.is, 'approval' in line ? line.approval : null])).toEqual([
    ['question', 'b'],
    ['decision', 'b'],
    ['question', 'c'],
  ]);
});

test('an approval, a fault and its remedy are told; what rules allow is not', () => {
  const by = person('ann');
  const decided = { approval: 'a' as never, run: 1, call: 'c', tool: 'Bash', hash: 'h', allow: true, by, why: 'fine' };
  const merge = new LogMerge(agents);
  const fault: EventBody = {
    type: 'run.faulted',
    run: 1,
    fault: { kind: 'stalled', silentMs: 60_000 },
    retryAtMs: 1_000,
  };
  const starting: EventBody = { type: 'run.starting', run: 2, how: 'resume', boot: 'b' };
  const lines = merge.take(
    eventsOf([
      { type: 'approval.decided', ...decided, rule: null },
      { type: 'approval.decided', ...decided, rule: 'allow Bash' },
      ...[fault, starting],
    ]),
    [],
    never,
  );
  expect(lines.map(({ is }) => is)).toEqual(['decision', 'fault', 'event']);
  expect(shown(lines)[1]).toMatch(/^fault run 1 broke: no progress for 1m/);
});
