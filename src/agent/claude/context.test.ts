import { expect, test } from 'vitest';
import { contextFrame, hasContext } from './context.ts';

const line = (record: object): string => `${JSON.stringify(record)}\n`;
const context = (text: string, more: object = {}): string =>
  line({ attachment: { type: 'hook_additional_context', content: [text] }, type: 'attachment', ...more });

test('a text counts as delivered when the agent recorded it as context', () => {
  const transcript = [line({ type: 'user' }), context('[outlast] Updates (s1.9)'), line({ type: 'assistant' })].join(
    '',
  );
  expect(hasContext(transcript, 's1.9')).toBe(true);
  expect(hasContext(transcript, 's1.8')).toBe(false);
});

test('hook output, text that the model repeats and context of a sub-agent do not count as delivered', () => {
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

test('a partial line is ignored, and a last line without a line break is read', () => {
  const whole = context('(s1.9)');
  for (const cut of [1, 10, 40]) expect(hasContext(whole.slice(0, -cut), 's1.9')).toBe(false);
  expect(hasContext(`${JSON.stringify({ type: 'user' })}${whole}`, 's1.9')).toBe(true);
  expect(hasContext('', 's1.9')).toBe(false);
});
