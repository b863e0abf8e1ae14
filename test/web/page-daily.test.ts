import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// What a person does every day on the page: start something, change a call before it is allowed, keep a rule.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
});

afterAll(async () => {
  const { complaints } = world;
  await world[Symbol.asyncDispose]();
  // What the browser itself says about a start that is refused.
  expect(complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});

test('with the keyboard alone an agent is started, and what is wrong is told at its field', async () => {
  const { page } = world;
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  const dialog = page.locator('dialog[open]');
  await dialog.locator('#new-prompt').waitFor();
  await world.until("document.activeElement.id === 'new-prompt'");
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Say what the agent is to do.').waitFor();
  await page.keyboard.type('hello there');
  await page.locator('#new-folder').fill('/nowhere/at/all');
  await page.locator('#new-name').fill('Not A Name');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Use only a-z, 0-9 and -').waitFor();
  await world.until("document.activeElement.id === 'new-name'");
  await page.locator('#new-name').fill('by-page');
  await page.keyboard.press('Control+Enter');
  // What only the daemon knows is told at the field, too.
  await dialog.locator('#new-folder-fault').waitFor();
  expect(await dialog.locator('#new-folder-fault').innerText()).toContain('/nowhere/at/all');
  expect(await page.locator('#new-folder').getAttribute('aria-invalid')).toBe('true');
  await page.locator('#new-folder').fill(world.folder);
  await page.locator('#new-agent').selectOption('scripted');
  await page.keyboard.press('Control+Enter');
  await page.locator('.reply', { hasText: 'You said: hello there' }).waitFor();
  const { session } = await world.web.client.show('by-page');
  expect([session.agent, session.workspace, session.gate]).toEqual(['scripted', world.folder, 'off']);
  expect(page.url()).toContain(session.id);
  // The name is taken now.
  await world.go('#/new');
  await page.locator('#new-prompt').fill('again');
  await page.locator('#new-name').fill('by-page');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await dialog.locator('#new-name-fault').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
});

test('a command is started with a terminal, in the folder with an odd name', async () => {
  const { page } = world;
  const folder = join(world.folder, '<b onclick=x>');
  mkdirSync(folder);
  await world.go('#/new');
  await page.getByRole('button', { name: 'Command' }).click();
  await page.locator('#new-shell').fill('pwd; exec sleep 1000');
  await page.locator('#new-folder').fill(folder);
  await page.getByLabel('With a terminal').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.screen-row', { hasText: '<b onclick=x>' }).waitFor();
  expect(await page.locator('.session b').count()).toBe(0);
  const { sessions } = await world.web.client.list({ agent: 'command' });
  expect(sessions.map(({ terminal, workspace }) => [terminal, workspace])).toEqual([['pty', folder]]);
});

test('the input of a call is changed before it is allowed', async () => {
  const { page } = world;
  const id = await world.start('edited', [bash('echo before'), { text: 'over' }], { allow: [] });
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const command = page.locator('.edit-input textarea').first();
  expect(await command.inputValue()).toBe('echo before');
  await command.fill('echo after > changed');
  await page.getByRole('button', { name: 'Allow with this input' }).click();
  await page.getByText(/^Allowed by/).waitFor();
  await world.is(id, 'idle');
  const { stdout } = await world.web.cli(['audit', '--session', id, '--json']);
  expect(stdout).toContain('echo after > changed');
});

test('a rule that is kept is shown exactly before, and can be changed', async () => {
  const { page } = world;
  const steps = [bash('echo one'), bash('echo one more'), { text: 'over' }];
  const id = await world.start('kept', steps, { allow: [] });
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  await page.getByRole('button', { name: 'Allow always in this folder' }).click();
  const rule = page.locator('.keep-rule input');
  expect(await rule.inputValue()).toBe(asked.rule);
  await rule.press('Enter');
  expect((await world.web.client.approvals.list({ session: id })).length).toBe(1);
  await rule.fill('Bash(echo *)');
  await page.getByRole('button', { name: 'Allow, and keep this rule' }).click();
  // The next call matches the rule.
  await world.is(id, 'idle');
  const { rules } = await world.web.client.call('rule.list', {});
  await eventually(() => rules.some(({ text, effect }) => effect === 'allow' && text === 'Bash(echo *)'));
  expect(rules.filter(({ workspace }) => workspace === world.folder)).toHaveLength(1);
});
