// The world that the pictures of the page show: a morning of somebody who runs many agents.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../test/eventually.ts';
import type { World } from '../../test/world.ts';
import { STORIES } from './page-stories.ts';

const SETTINGS = [
  ...['export const shop = {', "  currency: 'EUR',", '  port: 3000,', '  retries: 2,', '  timeoutMs: 5_000,', '};', ''],
].join('\n');
const CART = [
  ...["import { shop } from './settings.ts';", '', 'export function total(lines: Line[]): number {'],
  ...['  return lines.reduce((sum, { price, count }) => sum + price * count, 0);', '}', ''],
].join('\n');

const LOGIN = [
  ...["import { shop } from './settings.ts';", '', 'export const login = {', "  path: '/api/login',"],
  ...['  timeoutMs: 50,', '  retries: shop.retries,', '};', ''],
].join('\n');

/** What a dev server shows: a frame, wide letters, colours. */
const DEV = `cat <<'END'
$ npm run dev

> shop@2.4.0 dev
> vite --port 8080

  VITE v8.3.8  ready in 412 ms

  ➜  Local:   http://localhost:8080/
  ➜  Network: use --host to expose

┌──────────────────────┬────────┬─────────┐
│ route                │ status │    took │
├──────────────────────┼────────┼─────────┤
│ GET /                │    200 │   12 ms │
│ GET /prix/été        │    200 │   31 ms │
│ GET /api/prices      │    200 │  108 ms │
│ POST /api/checkout   │    402 │  640 ms │
└──────────────────────┴────────┴─────────┘

14:02:11 hmr update /src/cart.ts
ready on http://localhost:8080
END
exec sleep 1000
`;

/** A person with a shop in a folder, and the agents that work on it. */
export interface Morning {
  readonly world: World;
  readonly home: string;
  readonly shop: string;
}

/** Writes the files that the agents work on, and what the agents do with each prompt. */
export function prepare(world: World): Morning {
  const home = join(world.state, 'ana');
  const shop = join(home, 'shop');
  mkdirSync(join(shop, 'src'), { recursive: true });
  execFileSync('git', ['init', '-q', '-b', 'main', shop], { env: world.env });
  writeFileSync(join(shop, 'src/settings.ts'), SETTINGS);
  writeFileSync(join(shop, 'src/cart.ts'), CART);
  writeFileSync(join(shop, 'src/login.ts'), LOGIN);
  writeFileSync(join(shop, 'check-types.sh'), 'exec sleep 1000\n');
  writeFileSync(join(shop, 'dev.sh'), DEV);
  const agent = join(home, '.outlast-scripted');
  mkdirSync(agent, { recursive: true });
  const stories = Object.entries(STORIES).map(([prompt, steps]) => [prompt, { steps: steps(shop) }]);
  writeFileSync(join(agent, 'stories.json'), JSON.stringify(Object.fromEntries(stories)));
  return { world, home, shop };
}

/** Starts the sessions, and waits until each is in its state. */
export async function play({ world, home, shop }: Morning): Promise<void> {
  const cli = async (...words: string[]): Promise<void> => {
    const ran = await world.cli(words, { cwd: shop, env: { HOME: home, USER: 'ana' } });
    if (ran.status !== 0) throw new Error(`outlast ${words.join(' ')}: ${ran.stderr}`);
  };
  const agent = (name: string, prompt: string, ...words: string[]): Promise<void> =>
    cli('start', '--agent', 'scripted', '--name', name, ...words, prompt);
  const shell = (name: string, line: string): Promise<void> =>
    cli('exec', '-b', '--name', name, '--', 'sh', '-c', line);
  const is = (name: string, phase: string, approvals = 0): Promise<unknown> =>
    eventually(
      async () => {
        const { session } = await world.client.show(name);
        return session.phase === phase && session.approvals >= approvals;
      },
      { what: `${name} ${phase}` },
    );
  await shell('lint', 'echo "no problems in 214 files"');
  await shell('e2e', 'echo "checkout.spec.ts: 1 failed, 42 passed"; exit 1');
  await agent(
    'checkout-rounding',
    'The total of a cart with three items at 0.10 is 0.30000000000000004. Fix it, with a test.',
  );
  await agent('translate-settings', 'Übersetze die Texte der Einstellungen ins Deutsche.');
  await agent('readme', 'Explain in the README how to run the shop behind a proxy.');
  await is('checkout-rounding', 'idle');
  await agent('login-test', 'The login test fails now and then. Find out why.');
  await is('login-test', 'idle');
  await is('readme', 'idle');
  await agent(
    'payments',
    'Move the payment timeouts into the settings, with sensible values.',
    '--gate',
    '--allow',
    'Read',
  );
  await agent('release', 'Publish version 2.4.0 as next.', '--gate');
  await is('payments', 'blocked', 1);
  await is('release', 'blocked', 1);
  await agent('old-prices', 'Port the shop to the new price format, file by file.');
  await agent(
    'find-out-why-the-nightly-import-of-the-catalogue-takes-so-long',
    'Find out why the nightly import takes four hours.',
  );
  await cli('exec', '-b', '--pty', '--name', 'dev', '--', 'sh', 'dev.sh');
  await is('old-prices', 'working');
  await cli('prompt', 'old-prices', 'Then update the screenshots in docs/, and tell me which pages changed.');
  // Last: a limit that is known stops every other turn of the account.
  await agent('search-index', 'List every place that builds a search index, with the code around it.');
  await is('search-index', 'limited');
}
