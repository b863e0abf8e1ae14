import { expect, test } from 'vitest';
import { scripted } from '../scripted/scripted.ts';
import type { Listed } from '../seam/conversations.ts';

const LISTED: Listed = {
  id: 'c',
  path: '/home/ana/.claude/projects/-work/c.jsonl',
  home: '/home/ana/.claude',
  key: null,
  owner: null,
  claim: null,
  judgement: null,
};
const PROMPT = { type: 'user', isSidechain: false, cwd: '/work', message: { role: 'user', content: 'hello' } };
const TOLD = {
  type: 'attachment',
  isSidechain: false,
  attachment: { type: 'model', identity: { modelId: 'claude-told' } },
};
const ASKED = { type: 'api-request', params: { model: 'claude-asked' } };
const ANSWERED = {
  type: 'assistant',
  isSidechain: false,
  message: { id: 'm', role: 'assistant', model: 'claude-answered', content: [], stop_reason: 'end_turn' },
};

test.each([
  ['of a conversation that was cut off before its first request is what the agent was told', [PROMPT, TOLD], 'told'],
  ['of one without an answer is what was asked', [PROMPT, TOLD, ASKED], 'asked'],
  ['is the one that answered last', [PROMPT, TOLD, ASKED, ANSWERED], 'answered'],
])('the model %s', (_, rows, model) => {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const keeper = scripted('node', 'none').conversations;
  expect(keeper?.about(text, text, LISTED).model).toBe(`claude-${model}`);
});

test('of a model that is nowhere nothing is said', () => {
  const text = `${JSON.stringify(PROMPT)}\n`;
  expect(scripted('node', 'none').conversations?.about(text, text, LISTED).model).toBeNull();
});
