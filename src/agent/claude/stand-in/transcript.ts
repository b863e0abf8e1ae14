import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { makeFolder } from '../../../base/files.ts';
import { type Fields, fieldsOf, readJson } from './json.ts';

/** The file that records a conversation. It lags: lines are buffered for a while before they are written. */
export interface Transcript {
  readonly path: string;
  add(line: Fields): void;
  /** Writes a line at once, before the buffered ones. */
  note(line: Fields): void;
  /** Writes the buffered lines. */
  flush(): void;
}

/** Opens a transcript; the file is created with its first lines. */
export function openTranscript(path: string, clock: Clock, flushMs: number): Transcript {
  let kept: string[] = [];
  const flush = (): void => {
    if (kept.length === 0) return;
    const text = kept.join('');
    kept = [];
    makeFolder(dirname(path));
    appendFileSync(path, text, { mode: 0o600 });
  };
  return {
    path,
    flush,
    note: (line) => {
      makeFolder(dirname(path));
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
    add: (line) => {
      kept.push(`${JSON.stringify(line)}\n`);
      if (kept.length === 1) void clock.sleep(flushMs).then(flush);
    },
  };
}

/** The readable lines of a transcript. A torn last line is ended first, else the next line would be appended to it. */
export function readTranscript(path: string): Fields[] {
  const text = readFileSync(path, 'utf8');
  if (!text.endsWith('\n')) appendFileSync(path, '\n');
  return text.split('\n').flatMap((row) => {
    const fields = fieldsOf(readJson(row));
    return Object.keys(fields).length === 0 ? [] : [fields];
  });
}

/** Copies a conversation under another id, and returns the copied lines, which name their origin. */
export function copyTranscript(lines: readonly Fields[], path: string, id: string): Fields[] {
  makeFolder(dirname(path));
  const copied = lines.map((line) =>
    'sessionId' in line ? { ...line, sessionId: id, forkedFrom: { sessionId: line.sessionId } } : line,
  );
  writeFileSync(path, copied.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return copied;
}
