import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { codex } from '../../src/agent/codex/codex.ts';
import type { Input } from '../../src/core/event.ts';
import type { ConversationId, Session } from '../../src/core/session.ts';
import { ingestConversation } from '../../src/supervisor/open-conversation.ts';
import { LIVE, sessionAfter } from '../../src/testing/sessions.ts';

// Which conversation a process has open, by its files: here they are our own.

const [FIRST, SECOND] = ['01a1f201-ab4e-7b71-892b-e7f2405f4e1b', '01a1f207-e076-7f51-9f32-871fe7a71a70'];
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function home() {
  const root = mkdtempSync(join(tmpdir(), 'ol-open-'));
  for (const name of ['sessions', 'thread-writer-locks']) mkdirSync(join(root, name));
  ends.push(() => rmSync(root, { recursive: true }));
  const open = (path: string): void => {
    writeFileSync(join(root, path), '');
    const file = openSync(join(root, path), 'a');
    ends.unshift(() => closeSync(file));
    if (path.endsWith('.jsonl')) writeSync(file, '{"type":"session_meta","payload":{"source":"cli"}}\n');
  };
  return {
    lock: (id: string) => open(`thread-writer-locks/${id}.lock`),
    record: (id: string) => open(`sessions/rollout-2026-11-19T04-12-38-${id}.jsonl`),
  };
}

const RUN = { number: 1, how: 'launch', pid: process.pid, outputBytes: null } as NonNullable<Session['run']>;

function opened(agent: typeof codex | typeof claude, more: Partial<Session> = {}): unknown[] {
  const session: Session = { ...sessionAfter(LIVE), run: RUN, ...more };
  const taken: Input[] = [];
  const parts = { submit: (_: Session, __: unknown, input: Input) => taken.push(input), now: (s: Session) => s };
  ingestConversation(parts, session, { session: session.id, run: 1 }, agent);
  return taken.flatMap((each) => ('conversation' in each ? [each.conversation] : []));
}

test('a conversation is reported when its process opens it, and once', () => {
  const { lock, record } = home();
  expect(opened(codex)).toEqual([]);
  lock(FIRST);
  expect(opened(codex)).toEqual([FIRST]);
  const { conversation } = sessionAfter(LIVE);
  const known = { run: { ...RUN, reported: true }, conversation: { ...conversation, id: FIRST as ConversationId } };
  expect(opened(codex, known)).toEqual([]);
  lock(SECOND);
  record(SECOND);
  expect(opened(codex, known)).toEqual([SECOND]);
});

test('nothing is read for an agent that reports it, for a run that is over, and for the origin of a copy', () => {
  home().lock(FIRST);
  expect(opened(claude)).toEqual([]);
  expect(opened(codex, { run: { ...RUN, outputBytes: 0 } })).toEqual([]);
  const { recovery } = sessionAfter(LIVE);
  const remediation = { tried: [], origin: FIRST as ConversationId };
  expect(opened(codex, { recovery: { ...recovery, remediation } })).toEqual([]);
});
