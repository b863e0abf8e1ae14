import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../src/mcp/tools.ts';
import { storyOf } from '../e2e/spawning.ts';
import { type Caller, type McpWorld, mcpWorld } from '../mcp-world.ts';

// What every tool has in common: errors for wrong arguments, and for results that do not fit into an answer.

const SHOWN_CHARS_MAX = 22_000;
const NAMES = TOOLS.map(({ name }) => name);

let it: McpWorld;
let caller: Caller;

beforeAll(async () => {
  it = await mcpWorld();
  caller = await it.caller(['--allow', 'read,prompt,exec,approve,admin']);
});

afterAll(() => it[Symbol.asyncDispose]());

interface Listed {
  readonly properties: Record<string, { readonly type?: string | string[]; readonly description?: string }>;
  readonly required: readonly string[];
}

async function schemaOf(tool: string): Promise<Listed> {
  const found = (await caller.client.listTools()).tools.find(({ name }) => name === tool);
  const { properties = {}, required = [] } = found?.inputSchema ?? {};
  return { properties: properties as Listed['properties'], required };
}

test.each(NAMES)('%s names an unknown argument, and the known ones', async (tool) => {
  const { properties } = await schemaOf(tool);
  const { text, isError } = await caller.call(tool, { colour: 'red', Colour: 1 });
  const takes = Object.keys(properties).join(', ');
  expect(text).toContain(`unknown argument "colour", "Colour"; it accepts ${takes}`);
  expect([text.startsWith(`${tool}: `), isError]).toEqual([true, true]);
});

/** A value of the wrong type: all but these accept no objects, and these no lists. */
const OBJECTS = new Set(['edit', 'env', 'policy']);

test.each(NAMES)('%s names each argument of a wrong type, and does nothing', async (tool) => {
  const { properties, required } = await schemaOf(tool);
  const count = async (): Promise<number> => (await it.world.client.list({ limit: 1000 })).sessions.length;
  const before = await count();
  for (const key of Object.keys(properties)) {
    for (const wrong of OBJECTS.has(key) ? [['x'], null, 7] : [{ x: 1 }, [[]], null]) {
      const { text, isError } = await caller.call(tool, { [key]: wrong });
      expect([tool, key, wrong, isError, text]).toEqual([tool, key, wrong, true, expect.stringContaining(`${key}`)]);
      expect(text.startsWith(`${tool}: `)).toBe(true);
    }
  }
  for (const key of required) expect((await caller.call(tool, {})).text).toContain(`${key}: `);
  expect(await count()).toBe(before);
});

test.each(NAMES)('%s describes each argument', async (tool) => {
  const { properties } = await schemaOf(tool);
  const bare = Object.entries(properties).filter(([, { description = '' }]) => description === '');
  expect(bare.map(([key]) => key).filter((key) => !PLAIN.has(key))).toEqual([]);
});

/** Arguments that need no description. */
const PLAIN = new Set(['session', 'text', 'command', 'state']);

/** The call that a result names first, as a caller would make it. */
function callIn(text: string): [tool: string, input: Record<string, unknown>] {
  const [, said = ''] = /^(?:Turn.*\n)?\[(.*)\]\n/.exec(text) ?? [];
  const [, tool = '', words = ''] = /\b(session_\w+) (.*)/.exec(said) ?? [];
  const pairs = [...words.matchAll(/(\w+)=(\S+)/g)].map(([, key = '', word = '']) => [key, parsed(word)]);
  return [tool, Object.fromEntries(pairs)];
}

function parsed(word: string): unknown {
  return /^(\d+|true|\[.*\])$/.test(word) ? JSON.parse(word) : word;
}

/** Follows the calls that results name until one names none; returns what was between the marks. */
async function readAll(tool: string, input: Record<string, unknown>): Promise<string[]> {
  const parts: string[] = [];
  let [next, given] = [tool, input];
  while (next !== '') {
    const { text } = await caller.call(next, given);
    expect(text.length).toBeLessThan(SHOWN_CHARS_MAX);
    parts.push(/mark="\w+">\n([\s\S]*)\n<\/data/.exec(text)?.[1] ?? '');
    expect(parts.length).toBeLessThan(50);
    [next, given] = callIn(text);
  }
  return parts;
}

test('a long turn is read to its end by the calls that its parts name', async () => {
  const long = Array.from({ length: 6000 }, (_, i) => `line ${i}`).join('\n');
  const prompt = storyOf([{ text: long }]);
  await caller.call('session_start', { agent: 'scripted', name: 'writer', prompt, keepOpen: false });
  const { text } = await caller.call('session_wait', { session: 'writer', for: 'reply' });
  expect(text).toMatch(/^\[cut: \d+ characters are missing at the end; session_turn session=\w+\]\n/);
  const parts = await readAll('session_turn', { session: 'writer' });
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('')).toContain(long);
  const beyond = await caller.call('session_turn', { session: 'writer', offset: 10_000_000 });
  expect(beyond.text).toMatch(/^Turn 1 of 1\.\n\(it has no more than \d+ characters\)$/);
});

test('many sessions and their events are read to the end by the calls that the parts name', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 45; i += 1) {
    const { details } = await caller.call('exec', { command: `true ${'x'.repeat(400)}` });
    ids.push(String(details.sessionId));
  }
  const seen = (parts: readonly string[]): string[] => ids.filter((id) => parts.join('\n').includes(id));
  expect(seen(await readAll('session_list', { state: 'ended' }))).toEqual(ids);
  const events = await readAll('session_events', { types: ['session.created', 'session.ended'], limit: 500 });
  expect(events.length).toBeGreaterThan(1);
  expect(seen(events)).toEqual(ids);
  expect(events.join('\n')).not.toContain('run.opened');
  const [only = ''] = ids;
  const mine = await readAll('session_events', { session: only, limit: 2 });
  expect(mine.join('\n').match(/session\.\w+/g)).toEqual(['session.created', 'session.ended']);
});

test('the input of a tool call is cut in a list, and complete when it is requested', async () => {
  const input = { command: `echo ${'y'.repeat(5000)} end`, description: 'x' };
  const prompt = storyOf([{ tool: 'Bash', input }, { text: 'thanks' }]);
  const gated = await it.world.client.start({ agent: 'scripted', name: 'gated', prompt, gate: { mode: 'gate' } });
  await gated.waitFor('approval', { timeoutMs: 20_000 });
  const [approval] = await it.world.client.approvals.list({ session: 'gated' });
  const cut = await caller.call('approval_list', {});
  expect(cut.text).toMatch(/^\[some inputs are cut: approval_list which=ID has the full one\]\n/);
  expect(cut.text).not.toContain(' end');
  const whole = await caller.call('approval_list', { which: approval?.id });
  expect(whole.text).toContain(`${'y'.repeat(5000)} end`);
  expect((await caller.call('approval_list', { which: 'nobody' })).text).toBe('nobody is not pending.');
  await gated.stop();
});

test('the prompts name existing tools, with arguments that these accept', async () => {
  const { prompts } = await caller.client.listPrompts();
  const named: string[] = [];
  for (const { name, arguments: takes = [] } of prompts) {
    const given = Object.fromEntries(takes.map((each) => [each.name, 'x']));
    const { messages } = await caller.client.getPrompt({ name, arguments: given });
    const text = messages
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join()
      .replaceAll('\n', ' ');
    for (const [, tool = '', words = ''] of text.matchAll(
      /\b(session_\w+|exec)\b((?: (?:with |and )?\w+=[^\s,:]+)*)/g,
    )) {
      const { properties } = await schemaOf(tool);
      const keys = [...words.matchAll(/(\w+)=/g)].map(([, key = '']) => key);
      expect([name, tool, NAMES.includes(tool)]).toEqual([name, tool, true]);
      expect([name, tool, Object.keys(properties)]).toEqual([name, tool, expect.arrayContaining(keys)]);
      named.push(...keys);
    }
  }
  expect(new Set(named)).toEqual(new Set(['keepOpen', 'for', 'background']));
});
