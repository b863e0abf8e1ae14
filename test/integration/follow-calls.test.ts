import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { ConversationId, Session } from '../../src/core/session.ts';
import { approvalFollow } from '../../src/daemon/calls/approval-follow.ts';
import { sessionTurn } from '../../src/daemon/calls/session-turn.ts';
import type { Parts } from '../../src/daemon/serve/parts.ts';
import { asked, decided } from '../../src/testing/sessions.ts';
import { JournalWorld } from './journal-world.ts';

// Calls that wait for what others write are woken; they do not poll.

/** A clock whose sleeps end only when they are aborted; `onSleep` is called at the start of each. */
function standing(onSleep: () => void = () => {}): Clock {
  const sleep = (_: number, signal?: AbortSignal): Promise<void> => {
    onSleep();
    return new Promise((done) => signal?.addEventListener('abort', () => done(), { once: true }));
  };
  return { wallMs: () => 0, steadyMs: () => 0, sleep };
}

function partsOf(world: JournalWorld, clock: Clock = standing()): Parts {
  const { journal, config, sessions } = world;
  const asking = (): Session[] =>
    journal
      .list({ state: 'live', limit: 10 })
      .flatMap(({ session }) => (session.gate.approvals.length > 0 ? [session] : []));
  return {
    ...{ journal, config, clock },
    sessions: { ...sessions, asking },
    agents: [claude],
    rules: { callOf: (_: Session, call: object) => ({ ...call, actions: [], workspace: '/w', home: '/h' }) },
  } as unknown as Parts;
}

test('a follower of approvals gets each one that is asked or gone, until the session has ended', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a').accept('a').put(asked('q1'));
  const other = world.make({ drive: 'turns' }).queue('b').open(1, 'b').accept('b').put(asked('q9'));
  const signal = new AbortController().signal;
  const lines = approvalFollow(partsOf(world), { session: session.id, known: ['q0'] }, signal);
  const next = async () => {
    const { value, done } = await lines.next();
    return done ? 'over' : `${value.is} ${value.id}`;
  };
  expect([await next(), await next()]).toEqual(['gone q0', 'asked q1']);
  const later = next();
  other.put(asked('q8'));
  session.put(asked('q2'));
  expect(await later).toBe('asked q2');
  session.put(decided('q1', true), decided('q2', false));
  expect([await next(), await next()]).toEqual(['gone q1', 'gone q2']);
  const last = next();
  session.answer('a').close(1).end();
  expect(await last).toBe('over');
});

test('a follower of approvals can be aborted', async () => {
  using world = new JournalWorld();
  const leaving = new AbortController();
  const first = approvalFollow(partsOf(world), {}, leaving.signal).next();
  leaving.abort();
  expect((await first).done).toBe(true);
});

test('a turn that is not in the transcript yet is read as soon as it is written, without polling', async () => {
  using world = new JournalWorld();
  const transcript = join(world.state, 'c-1.jsonl');
  const line = (fields: object): string => `${JSON.stringify({ timestamp: new Date(0).toISOString(), ...fields })}\n`;
  const message = { id: 'm', model: 'x', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' };
  writeFileSync(transcript, line({ type: 'user', promptId: 'p', message: { role: 'user', content: 'do a' } }));
  const session = world.make({ drive: 'turns', agent: 'claude' }).queue('a').open(1, 'a');
  const conversation = 'c-1' as ConversationId;
  session.put({ type: 'conversation.opened', run: 1, conversation, transcript, source: 'startup' });
  session.accept('a').answer('a').close(1);
  const waiting = Promise.withResolvers<void>();
  const input = { session: session.id, number: -1, full: false };
  const parts = partsOf(world, standing(waiting.resolve));
  const reading = sessionTurn(parts, input, new AbortController().signal);
  await waiting.promise;
  appendFileSync(transcript, line({ type: 'assistant', message }));
  expect((await reading).markdown).toContain('Done.');
});
