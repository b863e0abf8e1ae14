import { expect, test } from 'vitest';
import { contextFrame, hasContext } from './context.ts';

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const context = (text: string, more: object = {}): string =>
  line({ attachment: { type: 'hook_additional_context', content: [text] }, type: 'attachment', ...more });

test('a text counts as told when the agent itself wrote it down as such', () => {
  const heard = [line({ type: 'user' }), context('[outlast] Updates (s1.9)'), line({ type: 'assistant' })].join('');
  expect(hasContext(heard, 's1.9')).toBe(true);
  expect(hasContext(heard, 's1.8')).toBe(false);
});

test('what a hook printed, what the model repeats and what a sub-agent was told is not what the agent was told', () => {
  const printed = contextFrame('PostToolUse').join(JSON.stringify('(s1.9)'));
  const others = [
    line({ attachment: { type: 'hook_success', stdout: printed }, type: 'attachment' }),
    line({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 's1.9 has ended' }] } }),
    line({ type: 'api-request-blob', body: '(s1.9)' }),
    context('(s1.9)', { isSidechain: true }),
  ].join('');
  expect(hasContext(others, 's1.9')).toBe(false);
  expect(hasContext(others + context('(s1.9)'), 's1.9')).toBe(true);
});

test('a line that is half written says nothing, and one without a line of its own is read', () => {
  const whole = context('(s1.9)');
  for (const cut of [1, 10, 40]) expect(hasContext(whole.slice(0, -cut), 's1.9')).toBe(false);
  expect(hasContext(`${JSON.stringify({ type: 'user' })}${whole}`, 's1.9')).toBe(true);
  expect(hasContext('', 's1.9')).toBe(false);
});
