import { expect, test } from 'vitest';
import type { LogCall, LogLine } from '../api/logs-shape.ts';
import { LogPrinter, lastLines } from './log-printer.ts';
import { type LogStyle, PLAIN } from './log-text.ts';

const line = (is: LogLine['is'], text: string, more: Partial<LogLine> = {}): LogLine => ({
  ...{ id: `${is} ${text}`, is, text, atMs: null, turn: 1 },
  ...more,
});
const piece = (text: string, from = 0, id = 'writing 1'): LogLine => line('piece', text, { id, from });
const call = (more: Partial<LogCall> = {}, id = 'call 1'): LogLine =>
  line('call', 'Bash', {
    id,
    call: {
      ...{ id: '1', name: 'Bash', input: { command: 'npm test' }, actions: [{ is: 'shell', command: 'npm test' }] },
      ...{ result: null, ended: false, error: null, tookMs: null, subagent: null },
      ...more,
    },
  });
const done = { ended: true, tookMs: 3_200, result: { text: '12 passed\nall fine\n', images: 0, isError: false } };

function printed(lines: readonly LogLine[], style: LogStyle = PLAIN): string {
  const printer = new LogPrinter(style);
  return lines.map((each) => printer.take(each)).join('') + printer.end();
}

test('a turn reads as a story: the prompt, the text, each call in one line, and the end', () => {
  const lines = [line('prompt', 'fix it\nplease'), line('text', 'I look.'), call(done), line('text', 'Done.')];
  expect(printed([...lines, line('end', 'ended: done, after 42s')])).toBe(
    '> fix it\n  please\n\nI look.\n\n- npm test  ok 3.2s: 12 passed (2 lines)\n\nDone.\n\n= ended: done, after 42s\n',
  );
});

test('a call that returns later continues its line, or gets a new one when something came between', () => {
  expect(printed([call(), call(done)])).toBe('- npm test  ok 3.2s: 12 passed (2 lines)\n');
  const between = line('question', 'Bash waits for an answer');
  expect(printed([call(), between, call(done)])).toBe(
    '- npm test\n? Bash waits for an answer\n- npm test  ok 3.2s: 12 passed (2 lines)\n',
  );
  expect(printed([call(), call(done), call(done), call({ ...done, tookMs: 1 })])).toBe(
    '- npm test  ok 3.2s: 12 passed (2 lines)\n',
  );
});

test('a failed call says why', () => {
  const failed = call({ ended: true, error: 'exit 1: no such file', tookMs: 40 });
  expect(printed([failed])).toBe('- npm test  failed 0.0s: exit 1: no such file\n');
});

test('a text is shown while it is written, once', () => {
  const whole = line('text', 'One two three.');
  expect(printed([piece('One '), piece('two', 4), whole, whole])).toBe('One two three.\n');
  expect(printed([piece('One two three.'), whole])).toBe('One two three.\n');
});

test('after a lost connection a text continues where it was, or waits for the whole', () => {
  const whole = line('text', 'One two three.');
  const again = [piece('One two', 0, 'writing 7'), piece(' three.', 7, 'writing 7')];
  expect(printed([piece('One '), ...again, whole])).toBe('One two three.\n');
  // The new daemon did not see the beginning.
  expect(printed([piece('One '), piece('hree.', 9, 'writing 7'), whole])).toBe('One two three.\n');
});

test('two texts in a row are apart, and each is confirmed', () => {
  const lines = [
    piece('First.'),
    piece('Second.', 0, 'writing 2'),
    line('text', 'First.'),
    line('text', 'Second. End.'),
  ];
  expect(printed(lines)).toBe('First.\n\nSecond. End.\n');
});

test('lines that come again change nothing', () => {
  const prompt = line('prompt', 'go', { id: 'prompt p' });
  const fault = line('fault', 'run 1 broke', { id: 'event 9' });
  expect(printed([prompt, fault, prompt, fault])).toBe('> go\n! run 1 broke\n');
});

test('a change of a file is shown as a diff; a long one is folded, and whole in full', () => {
  const text = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
  const change = { is: 'text', text, fields: [] };
  const write = call({ ...done, name: 'Write', actions: [{ is: 'write', path: '/w/a.txt', change }] });
  const folded = printed([write], { ...PLAIN, workspace: '/w' }).split('\n');
  expect(folded[0]).toBe('- Edit a.txt  ok 3.2s: 12 passed (2 lines)');
  expect(folded[1]).toBe('    +line 0');
  expect(folded.at(-2)).toBe('    … 24 more lines (--full shows them)');
  expect(printed([write], { ...PLAIN, full: true }).split('\n')).toHaveLength(44);
});

test('a folded line fits on the screen, with colours and without', () => {
  const long = call({ ...done, actions: [{ is: 'shell', command: 'x'.repeat(300) }] });
  const style: LogStyle = { ...PLAIN, columns: 80, time: () => '12:00:00' };
  expect(printed([long], style).split('\n')[0]?.length).toBeLessThanOrEqual(80);
});

test('the last lines of a session, also of what is being written', () => {
  const lines = [line('prompt', 'go'), line('text', 'One.\n\nTwo.'), piece('Three')];
  expect(lastLines(lines, 2, PLAIN)).toEqual(['Two.', 'Three']);
  expect(lastLines([call()], 1, PLAIN)).toEqual(['- npm test']);
});
