import { join } from 'node:path';
import { type Size, type Stage, scriptOf } from './stage.ts';

/** A picture: its size, its title, and what leads to it. */
interface Scene {
  readonly size: Size;
  readonly title: string;
  play(stage: Stage): Promise<void>;
}

const SETTINGS = ['export const shop = {', "  currency: 'EUR',", '  port: 3000,', '  retries: 2,', '};', ''].join('\n');

/** A step at which the usage limit is met, for so many seconds. */
function usageLimit(seconds: number): object {
  const of = (name: string): string => `anthropic-ratelimit-unified-${name}`;
  const reset = Math.floor(Date.now() / 1_000) + seconds;
  return { status: 429, headers: { [of('status')]: 'rejected', [of('reset')]: String(reset) } };
}

/** Sessions in every section of `top`. */
async function busyMorning(stage: Stage): Promise<void> {
  const { project } = stage;
  stage.file('settings.ts', SETTINGS);
  stage.file('cart.ts', 'export const cart = [];\n');
  const agent = (name: string, script: string, ...words: string[]): string =>
    stage.outlast('start', '--agent', 'scripted', '--name', name, ...words, script);
  const edit = {
    file_path: join(project, 'settings.ts'),
    old_string: '  port: 3000,\n  retries: 2,',
    new_string: '  port: 8080,\n  retries: 5,\n  timeoutMs: 10_000,',
  };
  const shell = (line: string): string[] => ['--', 'sh', '-c', line];
  stage.outlast('exec', '-b', '--name', 'lint', ...shell('echo "no problems in 214 files"'));
  stage.outlast('exec', '-b', '--name', 'e2e', ...shell('echo "checkout.spec.ts: 1 failed, 42 passed"; exit 1'));
  agent('readme', scriptOf({ text: 'The README now says how to run the shop behind a proxy.' }));
  agent('payments', scriptOf({ tool: 'Edit', input: edit }), '--gate');
  agent('release', scriptOf({ tool: 'Bash', input: { command: 'npm publish --tag next' } }), '--gate');
  agent('cart', scriptOf({ tool: 'Bash', input: { command: 'npm test -- cart && sleep 1000' } }));
  stage.outlast('exec', '-b', '--name', 'dev', ...shell('echo "ready on http://localhost:8080"; exec sleep 1000'));
  stage.type('clear; outlast top');
  await stage.shows(/payments +1 to approve/);
  await stage.shows(/release +1 to approve/);
  await stage.shows(/readme +idle/);
  await stage.shows(/cart +working .*Bash npm test/);
  // Last: a limit that is known stops every other turn of the account.
  const words = 'Find every place that still uses the old price format, and list them with the code around each. ';
  agent('search', words + scriptOf(usageLimit(3 * 3_600)));
  await stage.shows(/search +limited/);
}

/** Every picture, by the name of its file. */
export const SCENES: Readonly<Record<string, Scene>> = {
  top: { size: { columns: 100, rows: 22 }, title: 'outlast top', play: busyMorning },
  'top-approval': {
    size: { columns: 100, rows: 18 },
    title: 'outlast top: an approval',
    async play(stage) {
      await busyMorning(stage);
      stage.press('/');
      stage.type('payments');
      await stage.shows(/filter: payments/);
      stage.press('y');
      await stage.shows(/y approve/);
    },
  },
};
