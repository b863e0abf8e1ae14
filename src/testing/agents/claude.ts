import { join } from 'node:path';
import { claude } from '../../agent/claude/claude.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** When the cases are read: soon after they were recorded. */
const NOW_MS = Date.UTC(2026, 10, 16, 20);

/** The output, screens and records of Claude Code. */
export const CLAUDE_CASES: GoldenSet = {
  agent: 'claude',
  folder: join(import.meta.dirname, '../../agent/claude/cases'),
  kinds: {
    hook: {
      file: 'payload.json',
      proves: ['hooks', 'gate', 'actions'],
      read: (text) => readHook(JSON.parse(text)),
    },
    screen: {
      file: 'screen.txt',
      proves: ['live'],
      read: readScreen,
    },
    'state-file': { file: 'state.txt', proves: ['live'], read: (text) => claude.live.state?.read(text) ?? null },
    stream: { file: 'output.ndjson', proves: ['turns', 'usage'], read: readStream },
    transcript: { file: 'transcript.jsonl', proves: ['record', 'usage', 'conversations'], read: readTranscript },
  },
};

/** What a screen shows, without the text of a dialog. */
function readScreen(text: string): unknown {
  const read = claude.live.read({ rows: text.split('\n'), title: null, cursor: { row: 0, column: 0 } });
  return read.is === 'dialog' ? { is: read.is, why: { ...read.why, text: undefined } } : read;
}

function readStream(text: string): unknown {
  const listen = claude.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(claude.turns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}

/** The reports of a hook; and if it asks, the call it asks about and the actions of that call. */
function readHook(payload: unknown): unknown {
  const asked = claude.gate.asked(payload);
  const actions = asked === null ? null : claude.actions(asked.tool, asked.input);
  return { reports: claude.hooks.read(payload, 1, NOW_MS), asked, actions };
}

/** What is read from a transcript as our own conversation, and as one that was found. */
function readTranscript(text: string): unknown {
  const { conversations } = claude;
  const listed = { id: 'a', path: '/home/.claude/projects/-work/a.jsonl', home: '/home/.claude', ...NOTHING_MORE };
  const found = {
    judged: conversations.judge({ text, isWhole: true }),
    about: readWhole(conversations.about(text, listed), text),
  };
  return { ours: readRecord(claude, text), found };
}

const NOTHING_MORE = { key: null, owner: null, claim: null, judgement: null };
