import { expect, test } from 'vitest';
import { type Cue, cueFor, FRESH, storyOf } from './story.ts';

const tell = (steps: object[]): string => `go SCRIPT${JSON.stringify({ steps })}SCRIPT on`;
const said = (text: string, answers = 0) => ({ text, answers });

function words({ step }: Cue): string {
  return step.is === 'text' ? step.text : step.is;
}

test('a prompt without a story is echoed, cut to 200 characters', () => {
  expect(words(cueFor([said(' hello\n')], FRESH))).toBe('You said: hello');
  expect(words(cueFor([said('x'.repeat(500))], FRESH))).toBe(`You said: ${'x'.repeat(200)}`);
});

test('the number of answers since the prompt selects the step, and after the last one the story is done', () => {
  const prompt = tell([{ tool: 'Bash', input: {} }, { text: 'end' }]);
  expect([0, 1, 2, 9].map((answers) => words(cueFor([said(prompt, answers)], FRESH)))).toEqual([
    ...['tools', 'end', 'done', 'done'],
  ]);
});

test('only a prompt that asks to continue returns to an earlier story', () => {
  const prompt = tell([{ tool: 'Bash', input: {} }, { text: 'end' }]);
  expect(words(cueFor([said(prompt, 1), said('Please CONTINUE where you left off.')], FRESH))).toBe('end');
  expect(words(cueFor([said(prompt, 1), said('more')], FRESH))).toBe('You said: more');
  expect(words(cueFor([said(prompt), said(tell([{ text: 'other' }]))], FRESH))).toBe('other');
  const cut = `You were interrupted before you had finished. Continue where you left off. You were asked:\n${prompt}`;
  expect(words(cueFor([said(prompt, 1), said(cut)], FRESH))).toBe('end');
});

test('a failing step is not an answer: it is repeated `times` times, counted for each run of a story', () => {
  const prompt = tell([{ text: 'a' }, { status: 529, times: 2 }, { kill: 9 }, { text: 'b' }]);
  const at = (met: Record<string, number>) =>
    cueFor([said('x'), said(prompt, 1)], { ...FRESH, met: (key) => met[key] ?? 0 });
  expect(at({})).toMatchObject({ key: '1.1', step: { is: 'status', status: 529 } });
  expect(at({ '1.1': 1, '0.1': 2 }).step.is).toBe('status');
  expect(at({ '1.1': 2 }).step.is).toBe('kill');
});

test('a failing step with a cure repeats until the cure was applied', () => {
  const prompt = tell([{ status: 400, until: 'compact' }, { text: 'short' }]);
  const at = (...cured: string[]) =>
    words(cueFor([said(prompt)], { met: () => 9, isCured: (cure) => cured.includes(cure) }));
  expect([at(), at('fork'), at('compact')]).toEqual(['status', 'status', 'short']);
});

test('a story may contain another one, for a sub-agent', () => {
  const inner = tell([{ text: 'inner' }]);
  const outer = storyOf(tell([{ tool: 'Agent', input: { prompt: inner } }, { text: 'outer' }]));
  expect(outer).toMatchObject([
    { is: 'tools', tools: [{ tool: 'Agent', input: { prompt: inner } }] },
    { text: 'outer' },
  ]);
});

test('an unreadable story gives a text and does not throw', () => {
  expect(storyOf('SCRIPT{nonsense}SCRIPT')).toMatchObject([{ text: 'the story cannot be read' }]);
  expect(storyOf('no story')).toBeNull();
});
