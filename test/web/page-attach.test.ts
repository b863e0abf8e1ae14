import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { randomPng } from '../png.ts';
import { PageWorld } from './page-world.ts';

// Pictures and files that go with a prompt, from the page up to the process of the agent.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

/** Gives the page files as a paste or a drop does. */
function give(kind: 'paste' | 'drop', name: string, type: string, base64: string): Promise<unknown> {
  const made = `const data = new DataTransfer();
    const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0));
    data.items.add(new File([bytes], '${name}', { type: '${type}' }));`;
  const event =
    kind === 'paste'
      ? "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })"
      : "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })";
  const at = kind === 'paste' ? "document.querySelector('.composer textarea')" : "document.querySelector('.view')";
  return world.page.evaluate(`(() => { ${made} ${at}.dispatchEvent(${event}); })()`);
}

test('a picture and a file are pasted, dropped and picked, and the agent gets them', async () => {
  const { page } = world;
  const id = await world.start('pictured', [{ text: 'ready' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  const [pasted, picked] = [randomPng(), Buffer.concat([randomPng(), Buffer.alloc(4 * 1024 * 1024)])];
  await page.locator('.composer textarea').waitFor();
  await give('paste', 'pasted.png', 'image/png', pasted.toString('base64'));
  await give('drop', 'notes of a build.txt', 'text/plain', Buffer.from('line 7 is wrong').toString('base64'));
  await page.locator('.composer input[type=file]').setInputFiles([
    { name: 'picked.png', mimeType: 'image/png', buffer: picked },
    { name: 'unwanted.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
  ]);
  await page.getByRole('button', { name: 'Remove unwanted.txt' }).click();
  await page.locator('.attached[data-state=there]').nth(2).waitFor();
  expect(await page.locator('.attached').count()).toBe(3);
  // The thumbnail is drawn: the policy of the page allows it.
  await world.until(
    "[...document.querySelectorAll('.attached img')].filter((each) => each.naturalWidth === 16).length === 2",
  );
  const before = (await world.web.events(id)).filter((type) => type === 'prompt.queued').length;
  await page.locator('.composer textarea').fill('what is on them?');
  await page.keyboard.press('Enter');
  await page.locator('.attached').first().waitFor({ state: 'detached' });
  await eventually(async () => (await world.web.events(id)).filter((type) => type === 'prompt.queued').length > before);
  await world.is(id, 'idle');
  const prompts: Record<string, unknown>[] = [];
  for await (const { body } of world.web.client.events({ session: id, types: ['prompt.queued'] })) prompts.push(body);
  const { text, images } = prompts.at(-1) as { text: string; images: { name: string; path: string }[] };
  expect(images.map(({ name }) => name)).toEqual(['pasted.png', 'picked.png']);
  const folder = join(world.web.state, 'sessions', id);
  expect(images.map(({ path }) => readFileSync(join(folder, path)).length)).toEqual([pasted.length, picked.length]);
  const [said, named = ''] = text.split('\n\nFiles that come with this prompt:\n');
  expect(said).toBe('what is on them?');
  expect(named).toMatch(/\/notes-of-a-build\.txt$/);
  expect(readFileSync(named, 'utf8')).toBe('line 7 is wrong');
  // What the process of the agent was given names the pictures.
  const given = readFileSync(join(folder, 'runs/2/prompt'), 'utf8');
  for (const { path } of images) expect(given).toContain(`@${join(folder, path)}`);
});

test('what cannot go says why at the composer, and what is written stays', async () => {
  const { page } = world;
  const id = await world.start('refused', [{ text: 'ready' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.composer textarea').waitFor();
  await page.locator('.composer textarea').fill('see this');
  await page.locator('.composer input[type=file]').setInputFiles([
    { name: 'film.mov', mimeType: 'video/quicktime', buffer: Buffer.alloc(20 * 1024 * 1024 + 1) },
    { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
  ]);
  expect(await page.locator('.attached-fault').allInnerTexts()).toEqual([
    'larger than 20 MB; make it smaller',
    'empty',
  ]);
  expect(await page.locator('.send').getAttribute('aria-disabled')).toBe('true');
  for (const name of ['film.mov', 'empty.png']) await page.getByRole('button', { name: `Remove ${name}` }).click();
  expect(await page.locator('.send').getAttribute('aria-disabled')).toBe('false');
  // What goes with a prompt belongs to its session, and waits there.
  const picture = { name: 'waits.png', mimeType: 'image/png', buffer: randomPng() };
  await page.locator('.composer input[type=file]').setInputFiles(picture);
  await page.locator('.attached[data-state=there]').waitFor();
  await world.go('#/');
  await page.locator('.overview').waitFor();
  await world.go(`#/session/${id}`);
  await page.locator('.attached', { hasText: 'waits.png' }).waitFor();
  expect(await page.locator('.composer textarea').inputValue()).toBe('see this');
});
