import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { PageWorld } from './page-world.ts';

// Whatever dies below the page, it says what is and goes on by itself: nothing is missing, nothing is there twice, and
// it is never loaded again.

let world: PageWorld;
/** A session with a conversation that is open on the page. */
let id: string;
let turns = 0;

const WITHOUT_DAEMON = (): NodeJS.ProcessEnv => ({ ...world.web.env, OUTLAST_DAEMON: '/nonexistent' });

beforeAll(async () => {
  world = await PageWorld.open();
  // The server starts no daemon: the test says when there is one.
  await world.web.unserve();
  await world.web.serve([], WITHOUT_DAEMON());
  await world.isLive();
  id = await world.start('open', [{ text: 'the first reply' }]);
  await world.is(id, 'idle');
});

beforeEach(async () => {
  await world.go(`#/session/${id}`);
  await world.page.locator('.reply', { hasText: 'the first reply' }).waitFor();
  await world.read('globalThis.isSamePage = true');
});

afterEach(async () => {
  expect(await world.read('globalThis.isSamePage')).toBe(true);
});

afterAll(() => world[Symbol.asyncDispose]());

/** A prompt from elsewhere; its answer is shown once, and so is everything before. */
async function hears(word: string): Promise<void> {
  await world.web.client.prompt({ session: id, prompt: word });
  turns += 1;
  await world.page.locator('.reply', { hasText: `You said: ${word}` }).waitFor();
  await world.isLive();
  const texts = await world.page.locator('.reply').allInnerTexts();
  expect(texts.filter((text) => text.includes(word))).toHaveLength(1);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toHaveLength(turns + 1);
}

const says = (text: RegExp): Promise<void> => world.page.locator('.connection', { hasText: text }).waitFor();

test('the daemon is killed, and comes back', async () => {
  await world.web.kill();
  await says(/The daemon is away since \d\d:\d\d/);
  await world.web.start();
  await world.isLive();
  await hears('after the daemon');
});

test('the server of the page is killed, and comes back while somebody has said something', async () => {
  await world.web.unserve('SIGKILL');
  await says(/Offline since \d\d:\d\d/);
  await world.web.client.prompt({ session: id, prompt: 'while it was away' });
  turns += 1;
  await world.is(id, 'idle');
  await world.web.serve([], WITHOUT_DAEMON());
  await world.page.locator('.reply', { hasText: 'You said: while it was away' }).waitFor();
  await hears('after the server');
});

test('a connection that died in the sleep of the machine is found out when somebody looks', async () => {
  process.kill(world.web.serverPid, 'SIGSTOP');
  try {
    // As after a sleep or in another network: everything looks open, and nothing answers.
    await world.read("dispatchEvent(new Event('online'))");
    const isOffline = (): Promise<boolean> => world.read("document.documentElement.dataset.connection === 'offline'");
    // Without being asked to prove itself, silence alone would take longer than this to count.
    await eventually(isOffline, { msMax: 30_000, what: 'the state offline' });
  } finally {
    process.kill(world.web.serverPid, 'SIGCONT');
  }
  await world.isLive();
  await hears('after the sleep');
});

test('without a network nothing that was written is lost, and it is sent once', async () => {
  const { page } = world;
  const box = page.locator('.composer textarea');
  await box.fill('over the network');
  await page.context().setOffline(true);
  const asked = page.waitForEvent('requestfailed');
  await box.press('Enter');
  await asked;
  expect(await box.inputValue()).toBe('over the network');
  // It is sent as soon as there is a network again, and nobody has to ask for it.
  await page.context().setOffline(false);
  turns += 1;
  await page.locator('.reply', { hasText: 'You said: over the network' }).waitFor();
  await hears('after the network');
});

test('a session that is removed while it is open is said to be removed', async () => {
  const { page } = world;
  const other = await world.start('removed', [{ text: 'soon gone' }]);
  await world.is(other, 'idle');
  await world.go(`#/session/${other}`);
  await page.locator('.reply', { hasText: 'soon gone' }).waitFor();
  await world.web.client.stop({ session: other });
  await world.web.client.remove({ session: other });
  await page.getByText('This session was removed').waitFor();
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  expect(await page.locator(`.row[data-session="${other}"]`).count()).toBe(0);
});

test('a restored backup is noticed, and everything that is shown is read anew', async () => {
  const { page } = world;
  const backup = join(world.folder, 'backup.db');
  expect(await world.web.cli(['state', 'backup', backup])).toMatchObject({ status: 0 });
  await world.read("document.querySelector('.session').dataset.isOld = 'yes'");
  await world.web.client.stopDaemon();
  await world.web.kill();
  expect(await world.web.cli(['state', 'restore', backup])).toMatchObject({ status: 0 });
  await world.web.start();
  await page.locator('.toast', { hasText: 'restored from a backup' }).waitFor();
  await page.locator('.session:not([data-is-old]) .reply', { hasText: 'the first reply' }).waitFor();
  expect(await page.locator('.reply', { hasText: 'the first reply' }).count()).toBe(1);
  const { sessions } = await world.web.client.list({});
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  expect(await page.locator('.fleet-head .count').first().innerText()).toBe(String(sessions.length));
});
