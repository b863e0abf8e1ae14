import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';
import { asSent, isSameText, keysOf } from './prompt-text.ts';
import { readLines } from './transcript.ts';

// Since 2.1.328 a paste that the box shows as a placeholder has tags around it, in hooks, transcript and requests.

const LONG = 'four\nlines\n\nof text\n  indented';

function tagged(text: string, id = 'e7c4'): string {
  const inside = text.replaceAll(/<(?=\/?pasted_content)/g, '<\\');
  return `\n\n<pasted_content id="${id}">\n${inside}\n</pasted_content id="${id}">\n`;
}

const line = (fields: object): string => `${JSON.stringify(fields)}\n`;

test('a paste with tags around it is the prompt that was sent', () => {
  expect(asSent(tagged(LONG))).toBe(LONG);
  // Of some prompts it cuts the line feeds around the tags.
  expect(asSent(tagged(LONG).trim())).toBe(LONG);
  expect(keysOf(tagged(LONG).trim())).toEqual(keysOf(LONG));
  expect(isSameText(LONG, tagged(LONG))).toBe(true);
  expect(keysOf(tagged(LONG))).toEqual(keysOf(LONG));
  expect(isSameText(`${LONG}.`, tagged(LONG))).toBe(false);
});

test('what a person typed around a paste stays in the prompt', () => {
  expect(asSent(`read this:${tagged('a\nb')}`)).toBe('read this:\na\nb');
  expect(asSent(`${tagged('a\nb')}and this:${tagged('c')}`)).toBe('a\nb\nand this:\nc');
});

test('tags that are not a pair are text', () => {
  for (const text of ['<pasted_content id="e7c4">\na', 'a <pasted_content> b </pasted_content>\n', ' a\n'])
    expect(asSent(text)).toBe(text);
  const other = tagged(LONG).replace('</pasted_content id="e7c4">', '</pasted_content id="0000">');
  expect(asSent(other)).toBe(other);
});

test('a prompt that has such tags itself is recognised, whether it was a paste or not', () => {
  const piece = fc.constantFrom(
    'a',
    '\n',
    tagged('b'),
    tagged('c', '0123'),
    '<pasted_content id="e7c4">\n',
    '</pasted',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const sent = `do ${pieces.join('')} it`;
      expect(isSameText(sent, sent)).toBe(true);
      expect(isSameText(sent, tagged(sent))).toBe(true);
    }),
  );
});

test('hooks and transcript have the prompt without the tags', () => {
  expect(readHook({ hook_event_name: 'UserPromptSubmit', prompt: tagged(LONG) })).toMatchObject({ text: LONG });
  const lines = [
    { type: 'user', message: { role: 'user', content: tagged(LONG) } },
    { type: 'queue-operation', operation: 'enqueue', content: tagged(LONG) },
    { type: 'attachment', attachment: { type: 'queued_command', prompt: tagged(LONG) } },
  ];
  const { entries } = readLines(lines.map(line).join(''));
  expect(entries.map((entry) => entry.is === 'prompt' && [entry.how, entry.text])).toEqual([
    ['typed', LONG],
    ['kept', LONG],
    ['steering', LONG],
  ]);
});

test('the name of an image before a long prompt is not part of it', () => {
  const name = `@"/state/${'0'.repeat(64)}.png" `;
  expect(asSent(tagged(name + LONG))).toBe(LONG);
});
