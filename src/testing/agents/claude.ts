import { join } from 'node:path';
import { readHook } from '../../agent/claude/hooks.ts';
import { readScreen } from '../../agent/claude/screen.ts';
import { readStateFile } from '../../agent/claude/state-file.ts';
import { readStream } from '../../agent/claude/stream.ts';
import { conversationState, readLines } from '../../agent/claude/transcript.ts';
import { turns } from '../../agent/claude/turns.ts';
import { turnText } from '../../agent/seam/turn-text.ts';
import type { GoldenSet } from '../agent-suite.ts';

/** The output, screens and records of Claude Code. */
export const CLAUDE_CASES: GoldenSet = {
  agent: 'claude',
  folder: join(import.meta.dirname, '../../agent/claude/cases'),
  kinds: {
    hook: { file: 'payload.json', proves: ['hooks', 'gate'], read: (text) => readHook(JSON.parse(text)) },
    screen: { file: 'screen.txt', proves: ['live'], read: (text) => readScreen(text.split('\n')) },
    'state-file': { file: 'state.txt', proves: ['live'], read: readStateFile },
    stream: { file: 'output.ndjson', proves: ['turns', 'usage'], read: readStream },
    transcript: { file: 'transcript.jsonl', proves: ['record', 'conversations'], read: transcriptCase },
  },
};

function transcriptCase(text: string): unknown {
  const { entries, skipped } = readLines(text);
  const said = turns(entries);
  return { state: conversationState(entries), skipped, turns: said, text: said.map((turn) => turnText(turn)) };
}
