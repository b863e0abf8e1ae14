import { expect, test } from 'vitest';
import { type Cue, cueFor, FRESH, storyOf } from './story.ts';

const storyPrompt = (steps: object[]): string => `go SCRIPT${JSON.stringify({ steps })}SCRIPT on`;
const sent = (text: string, answers = 0) => ({ text, answers });

function words({ step }: Cue): string {
  return step.is === 'text' ? step.text : step.is;
}

test('a prompt without a story is echoed, cut to 200 characters', () => {
  expect(words(cueFor([sent(' hello\n')], FRESH))).toBe('You said: hello');
  expect(words(cueFor([sent('x'.repeat(500))], FRESH))).toBe(`You said: ${'x'.repeat(200)}`);
});

test('the number of answers since the prompt selects the step, and after the last one the story is done', () => {
  const prompt = storyPrompt([{ tool: 'Bash', input: {} }, { text: 'end' }]);
  expect([0, 1, 2, 9].map((answers) => words(cueFor([sent(prompt, answers)], FRESH)))).toEqual([
    ...['tools', 'end', 'done', 'done'],
  ]);
});

test('only a prompt that asks to continue returns to an earlier story', () => {
  const prompt = storyPrompt([{ tool: 'Bash', input: {} }, { text: 'end' }]);
  expect(words(cueFor([sent(prompt, 1), sent('Please CONTINUE where you left off.')], FRESH))).toBe('end');
  expect(words(cueFor([sent(prompt, 1), sent('more')], FRESH))).toBe('You said: more');
  expect(words(cueFor([sent(prompt), sent(storyPrompt([{ text: 'other' }]))], FRESH))).toBe('other');
  const cut = `You were interrupted before you had finished. Continue where you left off. You were asked:\n${prompt}`;
  expect(words(cueFor([sent(prompt, 1), sent(cut)], FRESH))).toBe('end');
});

test('a continuation without its prompt goes on behind the calls that it names', () => {
  const call = (command: string): object => ({ tool: 'Bash', input: { command } });
  const prompt = storyPrompt([call('echo 1 >> ledger'), call('echo 2 >> ledger'), { text: 'end' }]);
  const told = (named: string): string =>
    `You were interrupted before you had finished (time 2).\nThese tool calls had ended:\n- Bash ${named}\n` +
    `Check what is already done; then continue where you left off.\nYou had been asked:\n${prompt}`;
  expect(cueFor([sent(told('{"command":"echo 1 >> ledger"}'))], FRESH).step).toMatchObject({
    tools: [{ input: { command: 'echo 2 >> ledger' } }],
  });
  expect(words(cueFor([sent(told('{"command":"echo 2 >> ledger"}'))], FRESH))).toBe('end');
});

test('a failing step is not an answer: it is repeated `times` times, counted for each run of a story', () => {
  const prompt = storyPrompt([{ text: 'a' }, { status: 529, times: 2 }, { kill: 9 }, { text: 'b' }]);
  const at = (met: Record<string, number>) =>
    cueFor([sent('x'), sent(prompt, 1)], { ...FRESH, met: (key) => met[key] ?? 0 });
  expect(at({})).toMatchObject({ key: '1.1', step: { is: 'status', status: 529 } });
  expect(at({ '1.1': 1, '0.1': 2 }).step.is).toBe('status');
  expect(at({ '1.1': 2 }).step.is).toBe('kill');
});

test('a failing step with a cure repeats until the cure was applied', () => {
  const prompt = storyPrompt([{ status: 400, until: 'compact' }, { text: 'short' }]);
  const at = (...cured: string[]) =>
    words(cueFor([sent(prompt)], { met: () => 9, isCured: (cure) => cured.includes(cure) }));
  expect([at(), at('fork'), at('compact')]).toEqual(['status', 'status', 'short']);
});

test('a story may contain another one, for a sub-agent', () => {
  const inner = storyPrompt([{ text: 'inner' }]);
  const outer = storyOf(storyPrompt([{ tool: 'Agent', input: { prompt: inner } }, { text: 'outer' }]));
  expect(outer).toMatchObject([
    { is: 'tools', tools: [{ tool: 'Agent', input: { prompt: inner } }] },
    { text: 'outer' },
  ]);
});

test('an unreadable story gives a text and does not throw', () => {
  expect(storyOf('SCRIPT{nonsense}SCRIPT')).toMatchObject([{ text: 'the story cannot be read' }]);
  expect(storyOf('no story')).toBeNull();
});
