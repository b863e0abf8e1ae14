// What the agents in the pictures of the page do, by the prompt that they are given.

/** The steps of one prompt, for a project in this folder. */
type Story = (shop: string) => readonly object[];

const bash = (command: string, description: string): object => ({ tool: 'Bash', input: { command, description } });
const read = (path: string): object => ({ tool: 'Read', input: { file_path: path } });
const edit = (path: string, before: string, after: string): object => ({
  tool: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
});

/** A step at which the usage limit is met, for so many seconds. */
function usageLimit(seconds: number): object {
  const of = (name: string): string => `anthropic-ratelimit-unified-${name}`;
  const reset = Math.floor(Date.now() / 1_000) + seconds;
  return { status: 429, headers: { [of('status')]: 'rejected', [of('reset')]: String(reset) } };
}

const ROUNDED = [
  'The cart adds in **cents** now, so `0.10 × 3` is exactly `0.30`.',
  '',
  '- `total()` multiplies each price by 100 and rounds once, before it adds.',
  '- `format()` is the only place that divides again.',
  '- A new test covers the case, and two more with a discount.',
  '',
  '```ts',
  'const cents = (price: number): number => Math.round(price * 100);',
  '```',
  '',
  '| test | before | after |',
  '| --- | --- | --- |',
  '| three items at 0.10 | 0.30000000000000004 | 0.30 |',
  '| 19.99 with 15 % off | 16.991500000000002 | 16.99 |',
  '',
  'The one failing test in `checkout.spec.ts` fails on `main` too; it waits for a bank that is not there. See',
  '[the run](https://ci.example.com/runs/4711).',
].join('\n');

/** The stories by their prompts. */
export const STORIES: Readonly<Record<string, Story>> = {
  'The total of a cart with three items at 0.10 is 0.30000000000000004. Fix it, with a test.': (shop) => [
    { think: 'Money in floating point. I look at where it is added up first.', ...read(`${shop}/src/cart.ts`) },
    read(`${shop}/src/settings.ts`),
    bash('ls src && wc -l src/*.ts', 'List the sources'),
    {
      say: 'Prices are added as floating-point numbers. I will add cents, and round once.',
      ...edit(
        `${shop}/src/cart.ts`,
        '  return lines.reduce((sum, { price, count }) => sum + price * count, 0);',
        [
          '  const cents = lines.reduce((sum, { price, count }) => sum + Math.round(price * 100) * count, 0);',
          '  return cents / 100;',
        ].join('\n'),
      ),
    },
    bash("echo 'checkout.spec.ts: 1 failed, 42 passed'; exit 1", 'Run the tests'),
    { text: ROUNDED },
  ],
  'Übersetze die Texte der Einstellungen ins Deutsche.': () => [
    bash('ls src', 'List the sources'),
    {
      text: 'Die Texte der Einstellungen sind übersetzt: Währung, Port und Wiederholungen. Die Wörter sind die der übrigen Seiten.',
    },
  ],
  'Explain in the README how to run the shop behind a proxy.': () => [
    {
      text: 'The README has a section *Behind a proxy* now: the headers that have to be set, and an example for nginx.',
    },
  ],
  'Move the payment timeouts into the settings, with sensible values.': (shop) => [
    read(`${shop}/src/settings.ts`),
    {
      say: 'The timeouts are spread over three files. I put them into the settings first.',
      ...edit(
        `${shop}/src/settings.ts`,
        '  retries: 2,\n  timeoutMs: 5_000,',
        '  retries: 5,\n  timeoutMs: 10_000,\n  payments: { connectMs: 2_000, answerMs: 8_000 },',
      ),
    },
    { text: 'done' },
  ],
  'The login test fails now and then. Find out why.': (shop) => [
    read(`${shop}/src/settings.ts`),
    bash("echo 'login.spec.ts: 1 failed, 8 passed'; exit 1", 'Run the login tests'),
    bash('sleep 1', 'Run them again, slowly'),
    // The agent is killed once, in the middle of its work.
    { kill: 9, times: 1 },
    read(`${shop}/src/cart.ts`),
    edit(`${shop}/src/login.ts`, 'timeoutMs: 50', 'timeoutMs: shop.timeoutMs'),
    bash("echo 'login.spec.ts: 9 passed'", 'Run the login tests'),
    { text: 'The test waited 50 ms for the answer of the server. It has the timeout of the settings now.' },
  ],
  'Publish version 2.4.0 as next.': () => [bash('npm publish --tag next', 'Publish the package'), { text: 'done' }],
  'Port the shop to the new price format, file by file.': (shop) => [
    read(`${shop}/src/cart.ts`),
    read(`${shop}/src/settings.ts`),
    bash("grep -rn 'price' src | wc -l", 'Count the places'),
    bash('sh check-types.sh', 'Check the types'),
  ],
  'Find out why the nightly import takes four hours.': (shop) => [
    read(`${shop}/src/cart.ts`),
    {
      delayMs: 1_500,
      pace: 400_000,
      text: 'The import reads the catalogue once for each supplier, and there are 212 of them.',
    },
  ],
  'List every place that builds a search index, with the code around it.': () => [usageLimit(3 * 3_600)],
};
