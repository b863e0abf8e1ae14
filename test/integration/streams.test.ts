import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import type { Input, InputId } from '../../src/core/event.ts';
import type { Session, SessionId } from '../../src/core/session.ts';
import { sourceOf } from '../../src/supervisor/stream-source.ts';
import { Streams } from '../../src/supervisor/streams.ts';
import { TranscriptReader } from '../../src/supervisor/transcript-reader.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { sessionAfter, TURNS } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const STATE: Session = { ...sessionAfter(TURNS), id: 's1' as SessionId };
const RUN = { number: 1, how: 'launch', reported: true } as NonNullable<Session['run']>;
const WORKING: Session = { ...STATE, run: RUN, phase: { at: 'working', run: 1, sinceMs: 0 } };
const REF = { session: STATE.id, run: 1 };

function output() {
  const state = mkdtempSync(join(tmpdir(), 'ol-streams-'));
  const { output: path, folder } = runFolder(state, REF);
  mkdirSync(folder, { recursive: true });
  const nudged: SessionId[] = [];
  const daemon = () => {
    const taken: { id: InputId; input: Input }[] = [];
    let isFull = false;
    const streams = new Streams({
      submit: (_, id, input) => {
        if (isFull) throw new Error('full');
        taken.push({ id, input });
      },
      now: (session) => session,
      log: () => {},
      nudge: (session) => void nudged.push(session),
    });
    endings.unshift(() => streams.forget(STATE.id));
    return {
      streams,
      calls: () => taken.map(({ input }) => callOf(input)),
      ids: () => taken.map(({ id }) => id),
      fill: (now: boolean) => {
        isFull = now;
      },
    };
  };
  endings.push(() => rmSync(state, { recursive: true, force: true }));
  const source = (session: Session) =>
    sourceOf({ state, transcriptReader: new TranscriptReader(state) }, session, REF, claude);
  const listen = (streams: Streams) => {
    const found = source(WORKING);
    return found === null ? null : streams.listen(WORKING, found);
  };
  return { print: (text: string) => appendFileSync(path, text), daemon, nudged, source, listen };
}

const call = (id: string, input = ''): string => {
  const content = [{ type: 'tool_use', id, name: 'Bash', input }];
  return `${JSON.stringify({ type: 'assistant', message: { content } })}\n`;
};

function callOf(input: Input): string | null {
  return input.type === 'hook.noted' && input.fact.type === 'tool.called' ? input.fact.call : null;
}

test('a printed line is reported as soon as it is complete, and wakes the session', async () => {
  const { print, daemon, nudged, listen } = output();
  const { streams, calls } = daemon();
  print('');
  listen(streams)?.ingest();
  print('{"type":"system","subtype":"init"}\n');
  print(call('t1').slice(0, 40));
  listen(streams)?.ingest();
  expect([calls(), nudged]).toEqual([[], []]);
  print(call('t1').slice(40));
  await eventually(() => nudged.length > 0);
  listen(streams)?.ingest();
  listen(streams)?.ingest();
  expect(calls()).toEqual(['t1']);
});

test('a restarted daemon reads everything again under the same ids', () => {
  const { print, daemon, listen } = output();
  print(call('t1') + call('t2', 'é'.repeat(700_000)));
  const [first, second] = [daemon(), daemon()];
  listen(first.streams)?.ingest();
  print(call('t3'));
  listen(first.streams)?.ingest();
  listen(second.streams)?.ingest();
  expect(second.calls()).toEqual(['t1', 't2', 't3']);
  expect(second.ids()).toEqual(first.ids());
});

test('only what was printed when it was read is ingested, until everything is requested', () => {
  const { print, daemon, listen } = output();
  const { streams, calls } = daemon();
  print(call('t1'));
  const stream = listen(streams);
  print(call('t2'));
  stream?.ingest();
  expect(calls()).toEqual(['t1']);
  stream?.ingestAll();
  expect(calls()).toEqual(['t1', 't2']);
});

test('what could not be written to the journal is reported again', () => {
  const { print, daemon, listen } = output();
  print(call('t1') + call('t2'));
  const { streams, calls, fill } = daemon();
  fill(true);
  expect(() => listen(streams)?.ingest()).toThrow('full');
  fill(false);
  listen(streams)?.ingest();
  expect(calls()).toEqual(['t1', 't2']);
});

test('there is nothing to follow between turns, in a visit, or before there is a file', () => {
  const { daemon, source, listen } = output();
  const { streams } = daemon();
  const idle: Session = { ...WORKING, phase: { at: 'idle', run: 1, sinceMs: 0 } };
  const visit: Session = { ...WORKING, run: { ...RUN, how: 'visit' } };
  expect([idle, visit].map(source)).toEqual([null, null]);
  listen(streams)?.ingestAll();
});
