import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { qwenRecord } from './record.ts';
import { qwenTurnReader } from './turns.ts';

const PATH = `/s/images/${'ab'.repeat(32)}.png`;

function chat(...parts: readonly object[]): string {
  return `${JSON.stringify({ uuid: 'u', type: 'user', message: { role: 'user', parts } })}\n`;
}

test('a prompt with images is known by its text, also if the model cannot see', () => {
  const named = { text: ` @${PATH} What is it?` };
  const frame = { text: '\n--- Content from referenced files ---' };
  const seen = chat(named, frame, { text: 'Image overview' }, { inlineData: { data: 'AAAA', mimeType: 'image/jpeg' } });
  const unseen = chat(named, frame, { text: '[Unsupported image file]' });
  for (const [text, images] of [
    [seen, 1],
    [unseen, 0],
  ] as const) {
    expect(readWhole(qwenRecord, text).prompts).toMatchObject([{ keys: ['What is it?'] }]);
    expect(readWhole(qwenTurnReader, text)[0]).toMatchObject({ prompt: 'What is it?', data: { images } });
  }
});
