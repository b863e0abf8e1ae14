import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// S17: what counts as an answer, and what does not, with real questions and the mouse and keys of a real browser.

let world: PageWorld;
const GATED = { allow: [] };

beforeAll(async () => {
  world = await PageWorld.open();
  await world.page.setViewportSize({ width: 1_200, height: 900 });
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

/** Each test has only its own questions. */
beforeEach(async () => {
  await world.page.mouse.up();
  await world.go('#/');
  for (const { id } of await world.web.client.approvals.list()) await world.web.client.approvals.decide(id, false);
  await world.until("document.querySelector('.badge') === null");
});

const open = async (): Promise<string[]> => (await world.web.client.approvals.list()).map(({ id }) => id);

/** Two questions of two sessions, the older first. */
async function two(name: string): Promise<readonly [string, string]> {
  const first = await world.start(`${name}-1`, [bash('echo one'), { text: 'x' }], GATED);
  const { id: older } = await world.asked(first);
  const second = await world.start(`${name}-2`, [bash('echo two'), { text: 'x' }], GATED);
  const { id: newer } = await world.asked(second);
  await world.until("document.querySelector('.badge')?.textContent === '2'");
  return [older, newer];
}

test('S17: a key that is held answers one question, and not the one that is shown next', async () => {
  const { page } = world;
  const [older, newer] = await two('held-key');
  await world.go('#/inbox');
  await page.locator('.answers.armed').waitFor();
  await page.keyboard.down('y');
  await page.getByText(/^Allowed by/).waitFor();
  expect(await open()).toEqual([newer]);
  // The keyboard repeats it until the answer has left and the next question could be answered, and beyond.
  const isNext = (): Promise<boolean> =>
    world.read("document.querySelector('.question-body')?.textContent.includes('echo two')");
  await eventually(async () => {
    await page.keyboard.down('y');
    return isNext();
  });
  await page.locator('.answers.armed').waitFor();
  for (let i = 0; i < 20; i += 1) await page.keyboard.down('y');
  expect(await open()).toEqual([newer]);
  await page.keyboard.up('y');
  await page.keyboard.press('y');
  await page.getByText(/^Allowed by/).waitFor();
  expect([older, ...(await open())]).toEqual([older]);
});

test('S17: a double click answers one question once; Enter and Space answer none', async () => {
  const { page } = world;
  const [older, newer] = await two('double');
  const asked = await world.web.client.approvals.list();
  await world.go('#/inbox');
  await page.locator('.answers.armed').waitFor();
  for (const key of ['Enter', ' ']) await page.keyboard.press(key);
  await page.locator('main [data-head]').focus();
  for (const key of ['Enter', ' ']) await page.keyboard.press(key);
  expect(await open()).toEqual([older, newer]);
  await page.locator('.answers.armed').waitFor();
  // A slow machine may draw between the two clicks: they are one event after the other, as fast as can be.
  await world.read(`(() => {
    const button = document.querySelector('.answers .primary');
    for (let i = 0; i < 2; i += 1) button.click();
  })()`);
  await page.getByText(/^Allowed by/).waitFor();
  expect(await open()).toEqual([newer]);
  const { session } = asked.find(({ id }) => id === older) ?? { session: '' };
  expect((await world.web.events(session)).filter((type) => type === 'approval.decided')).toHaveLength(1);
});

test('S17: a question that moves under the finger has to stay there before it is answered', async () => {
  const { page } = world;
  const id = await world.start('moves', [bash('echo x'), { text: 'x' }], GATED);
  const asked = await world.asked(id);
  await world.go(`#/session/${id}`);
  await page.locator('.asking .answers.armed').waitFor();
  // The keyboard of a phone comes up, for example, and what was elsewhere is now where the finger taps.
  const button = "document.querySelector('.asking .primary')";
  await world.read(`globalThis.tapped = new Promise((resolve) => {
    const before = ${button}.getBoundingClientRect().top;
    let sinceMs = null;
    let taps = 0;
    const tap = (nowMs) => {
      if (Math.abs(${button}.getBoundingClientRect().top - before) > 20) sinceMs ??= nowMs;
      if (sinceMs !== null) {
        taps += 1;
        ${button}.click();
      }
      if (sinceMs !== null && nowMs - sinceMs > 250) resolve(taps);
      else requestAnimationFrame(tap);
    };
    requestAnimationFrame(tap);
  }); void 0`);
  await page.setViewportSize({ width: 1_200, height: 300 });
  expect(await world.read<number>('globalThis.tapped')).toBeGreaterThan(0);
  expect(await open()).toEqual([asked.id]);
  await page.setViewportSize({ width: 1_200, height: 900 });
  await page.locator('.asking .answers.armed').waitFor();
  await page.locator('.asking .primary').click();
  await world.is(id, 'idle');
});

test('S17: what is easily overlooked has to be held for 600 ms, also to keep it as a rule', async () => {
  const { page } = world;
  const path = join(world.web.state, 'outside.txt');
  writeFileSync(path, 'one\n');
  const outside = { tool: 'Edit', input: { file_path: path, old_string: 'one', new_string: 'two' } };
  const id = await world.start('outside', [outside, { text: 'x' }], GATED);
  const asked = await world.asked(id);
  expect(asked.rule).not.toBeNull();
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  await page.locator('.caution', { hasText: 'outside of the folder' }).waitFor();
  await page.getByRole('button', { name: 'Allow for this session' }).click();
  await page.locator('.keep-rule').waitFor();
  // In one go: a slow machine must not turn a tap into a hold.
  const tapped = await world.read(`(() => {
    const fire = (each, type, more) =>
      each.dispatchEvent(new PointerEvent(type, { bubbles: true, detail: 1, ...more }));
    const press = (each, type, repeat) =>
      each.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true, cancelable: true, repeat }));
    const all = [...document.querySelectorAll('.answers .hold')];
    for (const each of all) {
      for (const end of ['pointerup', 'pointerleave', 'pointercancel']) {
        fire(each, 'pointerdown');
        fire(each, end);
        fire(each, 'click', { clientX: 9 });
      }
      press(each, 'keydown', false);
      for (let i = 0; i < 20; i += 1) press(each, 'keydown', true);
      press(each, 'keyup', false);
      each.click();
    }
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }));
    for (let i = 0; i < 20; i += 1)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true, repeat: true }));
    return all.map(({ textContent }) => textContent);
  })()`);
  expect(tapped).toEqual(['Allow, and keep this rule', 'Hold to allow']);
  expect(await open()).toEqual([asked.id]);
  await page.getByRole('button', { name: 'Allow, and keep this rule' }).hover();
  await page.mouse.down();
  await page.getByText(/^Allowed by/).waitFor();
  await page.mouse.up();
  await world.is(id, 'idle');
});

test('S17: a finger that holds Allow while somebody else answers does not allow the next question', async () => {
  const { page } = world;
  const hidden = bash('echo pay\u200bpal');
  const first = await world.start('held-1', [hidden, { text: 'x' }], GATED);
  const { id: older } = await world.asked(first);
  const second = await world.start('held-2', [hidden, { text: 'x' }], GATED);
  const { id: newer } = await world.asked(second);
  await world.go('#/inbox');
  await page.locator('.answers.armed').waitFor();
  const place = await page.locator('.answers .hold').first().boundingBox();
  await world.web.client.approvals.decide(older, false);
  // The button is there until the answer has arrived, and is held from then on.
  await page.mouse.move((place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
  await page.mouse.down();
  await world.until("document.querySelector('.session h1, .of-session')?.textContent === 'held-2'");
  await page.locator('.answers.armed').waitFor();
  await page.locator('.answers.armed .hold').first().waitFor();
  await world.read(
    `new Promise((resolve) => {
      let frames = 0;
      const next = () => ((frames += 1) > 60 ? resolve() : requestAnimationFrame(next));
      next();
    })`,
  );
  expect(await open()).toEqual([newer]);
  await page.mouse.up();
});

test('S17: a page that comes back into sight is looked at anew', async () => {
  const { page } = world;
  const id = await world.start('sight', [bash('echo x'), { text: 'x' }], GATED);
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  // What is not armed after the next frame was clicked too early.
  const tried = await world.read(`(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    return new Promise((resolve) => requestAnimationFrame(() => {
      document.querySelector('.answers .primary').click();
      resolve(document.querySelector('.answers').classList.contains('armed'));
    }));
  })()`);
  expect(tried).toBe(false);
  expect(await open()).toEqual([asked.id]);
});
