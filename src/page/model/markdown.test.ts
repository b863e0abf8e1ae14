import { expect, test } from 'vitest';
import { readMarkdown } from './markdown.ts';

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

test('what people write is read', () => {
  const code = `Look:\n\n\`\`\`ts\n${lines(2_000, (i) => `const a${i} = ${i};`)}\n\`\`\`\n\nDone.`;
  const tables = `| a | b |\n| --- | --- |\n${lines(200, (i) => `| ${i} | x |`)}`;
  const nested = lines(12, (i) => `${'  '.repeat(i)}- step ${i}`);
  const long = lines(300, (i) => `A paragraph with some *words* in it, the ${i}th.\n`);
  for (const text of ['', 'one line', code, tables, nested, long, '> > > three quotes', '---\n***\n___'])
    expect([text.slice(0, 20), readMarkdown(text)]).toEqual([text.slice(0, 20), expect.any(Array)]);
});

const HEAVY: Readonly<Record<string, string>> = {
  'quotes in quotes': '>'.repeat(20_000),
  'quotes with spaces': '> '.repeat(5_000),
  'lists in lists on a line': `${'- '.repeat(5_000)}x`,
  'lists in lists': lines(1_000, (i) => `${' '.repeat(i * 2)}- x`),
  'numbered lists': `${'1. '.repeat(3_000)}x`,
  underscores: '_a_'.repeat(30_000),
  'underscores in short paragraphs': `${'_a_'.repeat(2_500)}\n\n`.repeat(8),
  'bold in bold': `${'**'.repeat(5_000)}a${'**'.repeat(5_000)}`,
  'emphasis in emphasis': `${'*a _b '.repeat(600)}x${'_ *'.repeat(600)}`,
  'an endless address': `${'a.'.repeat(50_000)}@`,
  ticks: lines(1_000, (i) => `${'`'.repeat(i)} a`),
  megabytes: 'word '.repeat(400_000),
};

test.each(Object.entries(HEAVY))(
  'a text that would stop the page is shown as it is, or read at once: %s',
  (_, text) => {
    const beforeMs = performance.now();
    readMarkdown(text);
    // Without the limits these take from ten seconds to for ever; here, a slow machine is far below this.
    expect(performance.now() - beforeMs).toBeLessThan(5_000);
  },
);

test('what would be deeper than the page can draw is shown as it is', () => {
  for (const name of ['quotes in quotes', 'lists in lists on a line', 'bold in bold'])
    expect([name, readMarkdown(HEAVY[name] ?? '')]).toEqual([name, null]);
  expect(readMarkdown(`${'['.repeat(200)}a${'](http://x)'.repeat(200)}`)).not.toBeUndefined();
});
