import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { type Message, placeIn, type Step } from './story.ts';

const story = (...steps: Step[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT Thanks.`;
const user = (content: Message['content']): Message => ({ role: 'user', content });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] });
const called: Message = { role: 'assistant', content: [{ type: 'tool_use' }] };
const result: Message = user([{ type: 'tool_result' }]);
const TWO = story({ tool: 'Bash', input: {} }, { text: 'over' });

test('the number of answers since the prompt selects the step, and after the last one comes "done"', () => {
  expect(placeIn([user(TWO)])).toMatchObject({ number: 0, answer: { tool: 'Bash' } });
  expect(placeIn([user(TWO), called, result])).toMatchObject({ number: 1, answer: { text: 'over' } });
  expect(placeIn([user(TWO), called, result, said('over'), result]).answer).toEqual({ text: 'done' });
});

test('a prompt without a script is echoed, and a repeated script starts from its first step', () => {
  expect(placeIn([user(TWO), called, result, said('over'), user('x'.repeat(300))])).toMatchObject({
    answer: { text: `You said: ${'x'.repeat(200)}` },
    number: null,
  });
  expect(placeIn([user(TWO), said('over'), user(TWO)]).number).toBe(0);
});

test('a continuation continues the newest script where it stopped', () => {
  const before = [user(TWO), called, result];
  expect(placeIn([...before, user('Please Continue where you left off.')]).number).toBe(1);
  expect(placeIn([...before, said('No response requested.'), user('continue where you left off')]).number).toBe(1);
});

test('a continuation that quotes its script does not restart it, wherever the quote is', () => {
  const again = `You were interrupted before you had finished. Then continue where you left off. Asked:\n${TWO}`;
  expect(placeIn([user(TWO), called, result, user(again)]).number).toBe(1);
  const both = [TWO, again].map((text) => ({ type: 'text', text }));
  expect(placeIn([user(both)])).toMatchObject({ number: 0, answer: { tool: 'Bash' } });
  expect(placeIn([user(again)])).toMatchObject({ number: 0, answer: { tool: 'Bash' } });
});

test('a call that a continuation names is not made again', () => {
  const twice = story({ tool: 'Bash', input: { command: 'echo "one"' } }, { text: 'over' });
  const told = (head: string): string =>
    [
      ...['You were interrupted before you had finished.', `${head}:`, '- Bash {"command":"echo \\"one\\""}'],
      ...['Check what is already done; then continue where you left off. You had been asked:', twice],
    ].join('\n');
  expect(placeIn([user(twice), user(told('It is not known what became of these tool calls'))]).number).toBe(1);
  expect(placeIn([user(twice), user(told('These tool calls had ended'))]).number).toBe(1);
  expect(placeIn([user(twice), user(told('These are others'))]).number).toBe(0);
});

test('a continuation in a new conversation counts the calls that it names and those that follow it', () => {
  const bash = (command: string): Step => ({ tool: 'Bash', input: { command } });
  const twice = story(bash('echo one'), bash('echo two'), { text: 'over' });
  const named = [
    ...['You were interrupted before you had finished.', 'These tool calls had ended:', '- Bash echo one'],
    ...['Check what is already done; then continue where you left off. You had been asked:', twice],
  ].join('\n');
  expect(placeIn([user(named)]).number).toBe(1);
  expect(placeIn([user(named), called, result]).number).toBe(2);
  expect(placeIn([user(twice), called, result, user(named), called, result]).number).toBe(2);
});

test('an update plays the `woken` steps of the newest script', () => {
  const both = { steps: [{ text: 'off' }], woken: [{ tool: 'Read' }, { text: 'read' }] };
  const prompt = `Do it. SCRIPT${JSON.stringify(both)}SCRIPT`;
  const update = user('[outlast] Updates from a session you started; their output is data:\n- x\n[end of updates]');
  expect(placeIn([user(prompt), said('off'), update])).toMatchObject({ number: 0, answer: { tool: 'Read' } });
  expect(placeIn([user(prompt), said('off'), update, called, result])).toMatchObject({
    number: 1,
    answer: { text: 'read' },
  });
  expect(placeIn([user(TWO), said('over'), update])).toMatchObject({ number: null });
});

test('a script may contain another one', () => {
  const outer = story({ tool: 'Task', input: { prompt: TWO } }, { text: 'both' });
  expect(placeIn([user(outer), called, result])).toMatchObject({ number: 1, answer: { text: 'both' } });
});

test('user messages that the agent adds are not prompts', () => {
  const reminder = { type: 'text', text: '<system-reminder>be good</system-reminder>' };
  expect(placeIn([user([reminder, { type: 'text', text: TWO }]), called, user([reminder])]).number).toBe(1);
  expect(placeIn([user(TWO), called, user('[Request interrupted by user]')]).prompt).toContain('Do it.');
  const over = user('<task-notification>\n<status>completed</status>\n</task-notification>');
  expect(placeIn([user(TWO), called, result, over])).toMatchObject({ number: 1, answer: { text: 'over' } });
});

test('a fault is not an answer: it comes before the answer that follows it', () => {
  const troubled = story({ text: 'one' }, { status: 529, times: 2 }, { reset: true, times: 1 }, { text: 'two' });
  expect(placeIn([user(troubled)])).toMatchObject({ faults: [], number: 0 });
  const later = placeIn([user(troubled), said('one'), user('continue where you left off')]);
  expect(later.faults.map(([number]) => number)).toEqual([1, 2]);
  expect(later.number).toBe(3);
});

test('a fault without a count is never passed', () => {
  const place = placeIn([user(story({ hang: 'headers' }))]);
  expect(place.faults).toHaveLength(1);
});

async function ask(server: ModelServer, content: string, more: object = {}, path = '/v1/messages'): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'x-claude-code-session-id': SESSION },
    body: JSON.stringify({ model: 'm', tools: [{ name: 'Bash' }], messages: [user(content)], ...more }),
  });
}
const SESSION = randomUUID();

test('the server answers with and without a stream, and records every request', async () => {
  await using server = await startModelServer();
  const whole = await (await ask(server, TWO)).json();
  expect(whole).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash' }] });
  const stream = await (
    await ask(server, story({ text: 'a long text in pieces, paced', pace: 1 }), { stream: true })
  ).text();
  expect(stream.match(/"type":"text_delta"/g)?.length).toBe(2);
  expect(stream.trimEnd().endsWith('data: {"type":"message_stop"}')).toBe(true);
  expect(await (await ask(server, TWO, { tools: [] })).json()).toMatchObject({ content: [{ text: 'ok' }] });
  expect(await (await ask(server, TWO, {}, '/v1/messages/count_tokens')).json()).toEqual({ input_tokens: 10 });
  expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
  expect(server.requests().map(({ conversation, step, tools }) => [conversation, step, tools])).toEqual([
    [SESSION, 0, ['Bash']],
    [SESSION, 0, ['Bash']],
    [SESSION, null, []],
  ]);
});

test('the server plays a fault as often as the script says, then continues', async () => {
  await using server = await startModelServer();
  const troubled = story(
    { status: 429, headers: { 'retry-after': '7' }, times: 2 },
    { reset: true, times: 1 },
    { text: 'at last' },
  );
  const first = await ask(server, troubled);
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await first.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  expect((await ask(server, troubled)).status).toBe(429);
  await expect(ask(server, troubled)).rejects.toThrow();
  expect(await (await ask(server, troubled)).json()).toMatchObject({ content: [{ text: 'at last' }] });
});

test('an answer is held back once, as a whole or from its middle on, until the server is told to go on', async () => {
  await using server = await startModelServer();
  const held = story({ text: 'a long text in pieces, paced', pace: 0, held: 'half' });
  const first = await ask(server, held, { stream: true });
  await eventually(() => server.requests()[0]?.sent === 'half');
  const again = await (await ask(server, held, { stream: true })).text();
  expect(again.match(/"type":"text_delta"/g)?.length).toBe(2);
  server.goOn();
  expect((await first.text()).match(/"type":"text_delta"/g)?.length).toBe(2);
  expect(server.requests().map(({ sent }) => sent)).toEqual(['whole', 'whole']);
});

test('a hanging server is silent until the client leaves, and can still be closed', async () => {
  await using server = await startModelServer();
  const asked = ask(server, story({ hang: 'headers' }));
  const pings = await ask(server, story({ hang: 'pings' }), { stream: true });
  const reader = pings.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('message_start');
  await server.close();
  await expect(asked).rejects.toThrow();
});
