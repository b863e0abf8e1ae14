import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import type { RunFolder } from '../../src/terminal/run-folder.ts';
import { isDrained, lookAtSink } from '../../src/terminal/tmux-sink.ts';
import { eventually } from '../eventually.ts';

const PATIENT = { msMax: 30_000 };
const clock = realClock();
let folder: string;
let files: RunFolder;
let sink: ChildProcessByStdio<Writable, null, null> | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-sink-'));
  const path = (name: string): string => join(folder, name);
  files = { output: path('output'), sink: path('sink'), torn: path('torn'), drained: path('drained') } as RunFolder;
  writeFileSync(files.output, '');
});
afterEach(() => {
  sink?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that behaves like the sink of a pane. */
function begin(line: string): ChildProcessByStdio<Writable, null, null> {
  sink = spawn('sh', ['-c', line], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
  return sink;
}

test('a sink that is just writing its pid is not gone', async () => {
  begin('exec >sink; echo $$; exec sleep 1000');
  await eventually(() => existsSync(files.sink) && readFileSync(files.sink, 'utf8').endsWith('\n'), PATIENT);
  expect(lookAtSink(files)).toBe('writing');
});

test('the output of a dead pane is complete when its sink got nothing in two turns of the server', async () => {
  const { stdin } = begin('exec >>output; echo $$ >sink; exec cat');
  await eventually(() => lookAtSink(files) === 'reading', PATIENT);
  // The server still holds the end of the output, and passes it on while it serves another request.
  const handOn = async (): Promise<boolean> => {
    const before = statSync(files.output).size;
    stdin.write('the end');
    return eventually(() => statSync(files.output).size > before && lookAtSink(files) === 'reading', PATIENT);
  };
  expect(await isDrained(files, clock, handOn)).toBe(false);
  expect(await isDrained(files, clock, async () => false)).toBe(false);
  expect(await isDrained(files, clock, async () => true)).toBe(true);
  expect(existsSync(files.drained)).toBe(true);
});
