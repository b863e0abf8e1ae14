import { expect, test } from 'vitest';
import { isShown, stepsOf, withOutputs } from './page.ts';

const PAGE = `# A page

\`\`\`console
$ outlast list
SESSION  STATE
fix      done
$ echo one \\
>   two
one two
$ true
\`\`\`

\`\`\`sh
not this
\`\`\`
`;

const COMMANDS = ['outlast list', 'echo one \\\n  two', 'true'];
const ran = (...outputs: readonly string[]) => COMMANDS.map((command, i) => [command, outputs[i] ?? ''] as const);

test('the commands of a page have what they print', () => {
  expect(stepsOf(PAGE)).toEqual([
    { heading: '', command: 'outlast list', printed: 'SESSION  STATE\nfix      done' },
    { heading: '', command: 'echo one \\\n  two', printed: 'one two' },
    { heading: '', command: 'true', printed: '' },
  ]);
});

test('new outputs replace those that differ, and nothing else changes', () => {
  expect(withOutputs(PAGE, ran('SESSION STATE\nfix done', 'one two', ''))).toBe(PAGE);
  expect(withOutputs(PAGE, ran('nothing', 'one two', 'x'))).toBe(
    PAGE.replace('SESSION  STATE\nfix      done', 'nothing').replace('$ true\n', '$ true\nx\n'),
  );
});

test.each([
  ['fix  done  2.3s ago', 'fix  done  1m 4s ago', true],
  ['fix  done', 'fix  held', false],
  ['id 01m7tf1qycb5vbcpmmkr\npid   12', 'id 01m7tf1jj1vfa3dvxe5w\npid 9', true],
  ['one\n…\nthree', 'one\ntwo\ntwo\nthree', true],
  ['one\n…\nthree', 'one\ntwo', false],
  ['cost $… today', 'cost $0.12 today', true],
  ['', '', true],
  ['', 'an error', false],
])('%j is what is shown for %j: %s', (printed, output, fits) => {
  expect(isShown(printed, output)).toBe(fits);
});
