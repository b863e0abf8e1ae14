import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { toText } from '../../src/terminal/text.ts';
import { printed } from '../../src/testing/printed.ts';
import { eventually } from '../eventually.ts';
import { type Caller, mcpWorld, type ToolResult } from '../mcp-world.ts';

const PATIENT = { msMax: 90_000 };
// Enough for everything that is read here.
const CAP_BYTES = 512 * 1024;
const it = await mcpWorld({ config: { outputBytesMax: CAP_BYTES } });
const caller = await it.caller();
afterAll(() => it[Symbol.asyncDispose]());

/** The text between the data marks, to the last byte. */
function dataIn(text: string): string {
  return /<data from="[^"]*" mark="(\w+)">\n([\s\S]*)\n<\/data mark="\1">/.exec(text)?.[2] ?? '';
}

/** A command that has printed these bytes and ended; its id. */
async function printing(bytes: Uint8Array): Promise<string> {
  const file = join(it.world.state, 'printed');
  writeFileSync(file, bytes);
  const { session } = await it.world.client.exec({ argv: ['cat', file] });
  return session.id;
}

const ASKED = /(?:to continue: |session=\w+ )(from|offset)=(\d+)/;

/** Reads everything as a caller that follows the hints in the results. */
async function walk(tool: string, input: Record<string, unknown>): Promise<string> {
  let text = '';
  let next: Record<string, unknown> = { from: 0 };
  for (;;) {
    const result: ToolResult = await caller.call(tool, { ...input, ...next });
    text += dataIn(result.text);
    const [, word, at] = ASKED.exec(result.text.split('<data')[0] ?? '') ?? [];
    if (word === undefined) return text;
    next = { [word]: Number(at) };
  }
}

/** Polls until everything was shown. */
async function pollAll(by: Caller, sessionId: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const { text, details } = await by.call('process', { action: 'poll', sessionId });
    seen.push(dataIn(text));
    if (details.status !== 'running' && details.more === false) return seen;
  }
}

test('T-PAGE-4: whatever was printed, each way to read it gives the same: MCP, SDK and command line', async () => {
  const big = fc.tuple(fc.array(printed, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 3 }));
  await fc.assert(
    fc.asyncProperty(big, async ([pieces, times]) => {
      // A line that is longer than an answer, lines, torn characters, and maybe half a character at the end.
      const all = Buffer.concat([Buffer.alloc(21_000 * times, 'é漢🙂'), ...pieces, Buffer.from('\n'), ...pieces]);
      const id = await printing(all);
      const whole = toText(all);
      expect(await walk('session_output', { session: id })).toBe(whole);
      expect(await walk('process', { action: 'log', sessionId: id, limit: 2 })).toBe(whole);
      expect((await pollAll(caller, id)).join('')).toBe(whole);
      expect((await it.world.cli(['output', id])).stdout).toBe(whole);
      const page = await it.world.client.output({ session: id, tail: 1_000 });
      expect(page.text).toBe(whole);
      const bytes = await it.world.client.output({ session: id, view: 'raw' });
      expect(Buffer.from(bytes.base64 ?? '', 'base64').equals(all)).toBe(true);
    }),
    { numRuns: 8 },
  );
});

test('T-PAGE-5: polls at the same time, of two servers, show each line once', async () => {
  const other = await it.caller();
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('');
  const id = await printing(Buffer.from(lines));
  const readers = [caller, caller, other, other].map((by) => pollAll(by, id));
  const seen = (await Promise.all(readers)).flat().filter((text) => text !== '');
  const inOrder = seen.sort((one, two) => Number(one.match(/\d+/)?.[0]) - Number(two.match(/\d+/)?.[0]));
  expect(seen.length).toBeGreaterThan(10);
  // A piece may begin inside a line: then its first line number says little, but all pieces together have every byte.
  expect(inOrder.reduce((sum, text) => sum + text.length, 0)).toBe(lines.length);
});

test('T-PAGE-5: a cancelled poll leaves its text to the next', async () => {
  const go = join(it.world.state, 'go');
  const command = `until [ -e '${go}' ]; do sleep 0.02; done; echo late; sleep 1000`;
  const { details } = await caller.call('exec', { command, background: true });
  const sessionId = String(details.sessionId);
  const leaving = new AbortController();
  const polling = caller.call('process', { action: 'poll', sessionId, timeout: 60_000 }, { signal: leaving.signal });
  leaving.abort();
  await expect(polling).rejects.toThrow();
  writeFileSync(go, '');
  await eventually(async () => {
    const polled = await caller.call('process', { action: 'poll', sessionId, timeout: 5_000 });
    return dataIn(polled.text) === 'late\n';
  }, PATIENT);
  await caller.call('process', { action: 'remove', sessionId });
});

test('T-PAGE-6: exec that leaves a command running counts as read only what it showed', async () => {
  let yieldMs = 500;
  await eventually(async () => {
    // Longer each time: a slow machine may not have printed all of it yet.
    yieldMs *= 2;
    const { text, details } = await caller.call('exec', { command: 'seq 1 2000; read x', pty: true, yieldMs });
    const { sessionId } = details;
    const polled = await caller.call('process', { action: 'poll', sessionId });
    await caller.call('process', { action: 'remove', sessionId });
    if (!text.includes('characters are left out here')) return false;
    expect(dataIn(polled.text)).toMatch(/^1\n2\n3\n/);
    return true;
  }, PATIENT);
});

test('T-PAGE-7: exec reports what the cap dropped, though it has read it all', async () => {
  const { text, details } = await caller.call('exec', { command: 'seq 1 200000' });
  expect(text).toMatch(/^\[the first \d+ bytes were discarded at the retention cap and cannot be recovered/);
  expect(text).toContain('reads from the first that is kept');
  expect(details.droppedBytes).toBeGreaterThan(0);
});

const ENDS: readonly (readonly [string, object, object])[] = [
  ['true', {}, { status: 'completed', exitCode: 0, exitReason: 'exit', exitSignal: null, timedOut: false }],
  ['exit 1', {}, { status: 'completed', exitCode: 1, exitReason: 'exit', exitSignal: null, timedOut: false }],
  ['kill -9 $$', {}, { status: 'failed', exitCode: 137, exitReason: 'signal', exitSignal: 'SIGKILL', timedOut: false }],
  ['sleep 600', { timeout: 0.2 }, { status: 'failed', exitReason: 'overall-timeout', timedOut: true }],
];

test.each(ENDS)('T-STATE-1: %s has one state in every tool', async (command, how, state) => {
  const { details } = await caller.call('exec', { command, ...how });
  const { sessionId } = details;
  const polled = await caller.call('process', { action: 'poll', sessionId });
  const log = await caller.call('process', { action: 'log', sessionId });
  const listed = (await caller.call('process', { action: 'list' })).details.sessions as { sessionId: unknown }[];
  const ended = { ...state, idleMs: null, waitingForInput: false };
  for (const each of [details, polled.details, log.details, listed.find((one) => one.sessionId === sessionId)])
    expect(each).toMatchObject(ended);
});

test('T-STATE-1: a running command has one state too: how long it was silent, and whether it waits', async () => {
  const { details } = await caller.call('exec', { command: 'read x', pty: true, background: true });
  const { sessionId } = details;
  expect(details).toMatchObject({ status: 'running', exitCode: null, exitReason: null, timedOut: false });
  const waits = { status: 'running', waitingForInput: true, idleMs: expect.any(Number) };
  const polled = async () => (await caller.call('process', { action: 'poll', sessionId })).details;
  await eventually(async () => (await polled()).waitingForInput, PATIENT);
  expect((await caller.call('process', { action: 'log', sessionId })).details).toMatchObject(waits);
  const { sessions } = (await caller.call('process', { action: 'list' })).details as { sessions: object[] };
  expect(sessions).toContainEqual(expect.objectContaining({ sessionId, ...waits }));
  const killed = await caller.call('process', { action: 'kill', sessionId });
  expect(killed.details).toMatchObject({ status: 'failed', exitReason: 'manual-cancel', idleMs: null });
  await caller.call('process', { action: 'clear', sessionId });
});
