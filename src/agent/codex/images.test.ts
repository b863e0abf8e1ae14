import { expect, test } from 'vitest';
import { readWhole } from '../seam/lines.ts';
import { codexRecord } from './record.ts';
import { codexTurnReader } from './turns.ts';

const PATH = `/s/images/${'ab'.repeat(32)}.png`;

test('a prompt with images is known by its text, as a message and as an item', () => {
  const text = (value: string) => ({ type: 'input_text', text: value });
  const content = [
    text(`<image name=[Image #1] path="${PATH}">`),
    { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    text('</image>'),
    text('<image> is what I typed'),
  ];
  const item = {
    type: 'UserMessage',
    client_id: 'p1#1',
    content: [
      { type: 'local_image', path: PATH },
      { type: 'text', text: '<image> is what I typed' },
    ],
  };
  const lines = [
    { type: 'event_msg', payload: { type: 'task_started', turn_id: 't' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content } },
    { type: 'event_msg', payload: { type: 'item_completed', item } },
  ];
  const rollout = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(readWhole(codexRecord, rollout).prompts).toMatchObject([{ keys: ['<image> is what I typed'], given: 'p1#1' }]);
  const [turn] = readWhole(codexTurnReader, rollout);
  expect(turn).toMatchObject({ prompt: '<image> is what I typed', data: { images: 1 } });
});
