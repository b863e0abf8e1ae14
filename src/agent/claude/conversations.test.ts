import { expect, test } from 'vitest';
import { scripted } from '../scripted/scripted.ts';
import type { Listed } from '../seam/conversations.ts';
import { readWhole } from '../seam/lines.ts';

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
const CONFIGURED = {
  type: 'attachment',
  isSidechain: false,
  attachment: { type: 'model', identity: { modelId: 'claude-configured' } },
};
const ASKED = { type: 'api-request', params: { model: 'claude-asked' } };
const ANSWERED = {
  type: 'assistant',
  isSidechain: false,
  message: { id: 'm', role: 'assistant', model: 'claude-answered', content: [], stop_reason: 'end_turn' },
};

test.each([
  [
    'of a conversation that was cut off before its first request is the configured one',
    [PROMPT, CONFIGURED],
    'configured',
  ],
  ['of one without an answer is the requested one', [PROMPT, CONFIGURED, ASKED], 'asked'],
  ['is the one that answered last', [PROMPT, CONFIGURED, ASKED, ANSWERED], 'answered'],
])('the model %s', (_, rows, model) => {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const keeper = scripted('node', 'none').conversations;
  expect(keeper && readWhole(keeper.about(text, LISTED), text).model).toBe(`claude-${model}`);
});

test('the permission mode is the newest one, in the word of the agent beside ours', () => {
  const rows = ['plan', 'superMode'].map((permissionMode) => `${JSON.stringify({ ...PROMPT, permissionMode })}\n`);
  const reader = (text: string) => scripted('node', 'none').conversations?.about(text, LISTED);
  const about = (text: string) => {
    const found = reader(text);
    return found && readWhole(found, text).mode;
  };
  expect(about(rows[0] ?? '')).toEqual({ mode: 'plan', word: 'plan' });
  expect(about(rows.join(''))).toEqual({ mode: 'ask-all', word: 'superMode' });
  expect(about(`${JSON.stringify(PROMPT)}\n`)).toBeNull();
});

test('a model that is recorded nowhere is null', () => {
  const text = `${JSON.stringify(PROMPT)}\n`;
  const { conversations: other } = scripted('node', 'none');
  expect(other && readWhole(other.about(text, LISTED), text).model).toBeNull();
});
