#!/usr/bin/env node
// A small program that speaks the Agent Client Protocol on its standard input and output, and stores conversations.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

if (process.argv.includes('--version')) {
  console.log('acp-like 1.0.0');
  process.exit(0);
}
const folder = join(process.env.HELPER_HOME ?? process.env.HOME ?? '', '.acp-like');
mkdirSync(folder, { recursive: true });
const fileOf = (id) => join(folder, `${id}.txt`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (sessionId, text) => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  send({ method: 'session/update', params: { sessionId, update } });
};
let isCancelled = false;

async function prompted(sessionId, text) {
  isCancelled = false;
  appendFileSync(fileOf(sessionId), `${text}\n`);
  const known = readFileSync(fileOf(sessionId), 'utf8');
  if (text.startsWith('Which word')) return say(sessionId, /outlast-\w+/.exec(known)?.[0] ?? 'none');
  for (let n = 1; text.startsWith('Write the numbers') && n <= 200 && !isCancelled; n += 1) {
    say(sessionId, `${n}\n`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  say(sessionId, text.match(/outlast-\w+/g)?.at(-1) ?? text);
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] }),
  'session/new': () => {
    const sessionId = crypto.randomUUID();
    appendFileSync(fileOf(sessionId), '');
    return { sessionId };
  },
  'session/load': ({ sessionId }) => {
    if (!existsSync(fileOf(sessionId))) throw new Error(`no session ${sessionId}`);
    return {};
  },
  'session/prompt': async ({ sessionId, prompt }) => {
    await prompted(sessionId, prompt.map(({ text }) => text ?? '').join(''));
    return { stopReason: isCancelled ? 'cancelled' : 'end_turn' };
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'session/cancel') isCancelled = true;
  if (id === undefined || method === undefined) return;
  try {
    const answer = answers[method];
    if (answer === undefined) throw new Error(`there is no ${method}`);
    send({ id, result: await answer(params) });
  } catch (error) {
    send({ id, error: { code: -32601, message: error.message } });
  }
});
