import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// One world for all: each test has sessions of its own, and goes to its own place on the page.

let world: PageWorld;
const NO_RULES = { allow: [] };

beforeAll(async () => {
  world = await PageWorld.open();
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

const edit = (path: string, before: string, after: string): object => ({
  tool: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
});

test('without a session it says what to do', async () => {
  await world.page.getByText('Nothing runs').waitFor();
  expect(await world.page.locator('.empty code').innerText()).toContain('outlast start');
  expect(await world.page.title()).toBe('Outlast');
});

test('a question brings its session to the top, with a sign and a word, and `a` leads to it', async () => {
  const { page } = world;
  const idle = await world.start('fix-the-login', [{ text: 'It is fixed.' }]);
  const asking = await world.start('clean-up', [bash('rm -r build'), { text: 'done' }], NO_RULES);
  await world.is(idle, 'idle');
  await world.asked(asking);
  await world.go('#/');
  const first = page.locator('.row').first();
  await first.getByText('1 to approve').waitFor();
  expect(await first.getAttribute('data-session')).toBe(asking);
  expect(await first.locator('.glyph.need').count()).toBe(1);
  await world.until("document.title === '(1) Outlast'");
  await page.keyboard.press('a');
  await page.locator('.question').waitFor();
  await world.until("document.activeElement.matches('main [data-head]')");
  expect(await page.locator('.question').innerText()).toContain('rm -r build');
});

test('the filter shows what matches, and the keys lead through the list', async () => {
  const { page } = world;
  await world.go('#/');
  await page.locator('.row').nth(1).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('fix login');
  await eventually(async () => (await page.locator('.row').count()) === 1, { what: 'one row' });
  expect(await page.locator('.row-name').allInnerTexts()).toEqual(['fix-the-login']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await world.until("document.activeElement.matches('.row')");
  await page.keyboard.press('j');
  await world.until("document.activeElement.textContent.includes('fix-the-login')");
  await page.keyboard.press('Enter');
  await page.locator('.session h1', { hasText: 'fix-the-login' }).waitFor();
});

test('nine calls are one line with counts, and a failure is told in it', async () => {
  const { page } = world;
  writeFileSync(join(world.folder, 'a.ts'), 'one\n');
  const reads = Array.from({ length: 6 }, () => ({ tool: 'Read', input: { file_path: join(world.folder, 'a.ts') } }));
  const calls = [...reads, bash('true'), bash('exit 3'), edit(join(world.folder, 'a.ts'), 'one', 'two')];
  const id = await world.start('nine', [...calls, { text: '## All **done**' }]);
  await world.go(`#/session/${id}`);
  await page.locator('.reply h4', { hasText: 'All done' }).waitFor();
  expect(await page.locator('.calls').count()).toBe(1);
  const head = await page.locator('.calls-head').innerText();
  expect(head.replaceAll(/\s+/g, ' ')).toContain('Read 1 file, ran 2 commands, edited 1 file 1 failed +1 −1');
  expect(await page.locator('.call').count()).toBe(0);
  await page.locator('.calls-head').click();
  expect(await page.locator('.call').count()).toBe(9);
  // What failed and what was changed is open.
  expect(await page.locator('.call details[open]').count()).toBe(2);
  expect(await page.locator('.line.added').innerText()).toContain('two');
});

test('a reply is shown while it is written, and once when it is done', async () => {
  const { page } = world;
  const id = await world.start('writing', [{ pace: 300, text: 'One two three four five six seven.' }]);
  await world.go(`#/session/${id}`);
  await page.locator('.reply.live', { hasText: 'One two' }).waitFor();
  await page.locator('.reply:not(.live)', { hasText: 'six seven.' }).waitFor();
  expect(await page.locator('.reply').count()).toBe(1);
});

test('a question is answered only after it was seen, for its diff, and says who answered', async () => {
  const { page } = world;
  const path = join(world.folder, 'settings.ts');
  writeFileSync(path, 'port = 3000\n');
  const id = await world.start('move', [edit(path, '3000', '8080'), { text: 'moved' }], { allow: ['Read'] });
  const asked = await world.asked(id);
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  // Clicks in the moment in which it appears were meant for something else.
  await world.read(`new Promise((resolve) => {
    let sinceMs = null;
    const click = (nowMs) => {
      const button = document.querySelector('.answers .primary');
      if (button !== null) sinceMs ??= nowMs;
      if (sinceMs !== null && nowMs - sinceMs > 300) return resolve();
      button?.click();
      requestAnimationFrame(click);
    };
    requestAnimationFrame(click);
    location.hash = '#/inbox/${asked.id}';
  })`);
  const lines = await page.locator('.question .line code').allInnerTexts();
  expect(lines).toEqual(
    (asked.diff ?? '')
      .split('\n')
      .slice(3)
      .map((line) => line.slice(1)),
  );
  expect((await world.web.client.approvals.list({ session: id })).length).toBe(1);
  await page.locator('.answers.armed').waitFor();
  await page.keyboard.press('Enter');
  expect((await world.web.client.approvals.list({ session: id })).length).toBe(1);
  await page.keyboard.press('y');
  await page.getByText(/^Allowed by/).waitFor();
  await world.is(id, 'idle');
});

test('a question that is answered elsewhere says by whom, and leaves', async () => {
  const { page } = world;
  const id = await world.start('elsewhere', [bash('echo x'), { text: 'over' }], NO_RULES);
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers').waitFor();
  const ran = await world.web.cli(['deny', asked.id, '--why', 'not on a Friday'], { env: { USER: 'ana' } });
  expect(ran.stderr).toBe('');
  const told = page.locator('.decision');
  await told.waitFor();
  expect(await told.innerText()).toMatch(/Denied by .*\s+not on a Friday/);
  await page.getByText('The call no longer waits.').waitFor();
});

test('Allow has to be held where a look is easily wrong', async () => {
  const { page } = world;
  const id = await world.start('hidden', [bash('echo pay\u200bpal'), { text: 'x' }], NO_RULES);
  const asked = await world.asked(id);
  await world.go(`#/inbox/${asked.id}`);
  await page.locator('.answers.armed').waitFor();
  expect(await page.locator('.question .main .odd').allInnerTexts()).toEqual(['\\u200b']);
  const allow = page.getByRole('button', { name: 'Hold to allow' });
  await allow.click();
  await page.keyboard.press('y');
  expect((await world.web.client.approvals.list({ session: id })).length).toBe(1);
  await allow.hover();
  await page.mouse.down();
  await page.getByText(/^Allowed by/).waitFor();
  await page.mouse.up();
});

test('a draft survives a reload, and the Enter of an input method sends nothing', async () => {
  const { page } = world;
  const id = await world.start('draft', [{ text: 'hello' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  const box = page.locator('.composer textarea');
  await box.fill('half a thought');
  await page.reload();
  await world.isLive();
  await world.until("document.querySelector('.composer textarea')?.value === 'half a thought'");
  const enter = "new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })";
  await world.read(`document.querySelector('.composer textarea').dispatchEvent(${enter})`);
  expect((await world.web.client.show(id)).session.usage.turns).toBe(1);
  expect(await box.inputValue()).toBe('half a thought');
  await box.fill('and a whole one');
  await box.press('Enter');
  await page.locator('.reply', { hasText: 'You said: and a whole one' }).waitFor();
  expect(await box.inputValue()).toBe('');
});

test('a prompt for a busy agent is queued once, and can be taken back', async () => {
  const { page } = world;
  const id = await world.start('busy', [bash('sleep 1000')]);
  await world.is(id, 'working');
  await world.go(`#/session/${id}`);
  await page.locator('.composer textarea').fill('then the tests');
  await page.locator('.send').dblclick();
  await page.locator('.queued', { hasText: 'then the tests' }).waitFor();
  expect(await page.locator('.queued', { hasText: 'then the tests' }).count()).toBe(1);
  await page.locator('.queued').getByRole('button', { name: 'Take back' }).click();
  await world.until("document.querySelector('.composer textarea').value === 'then the tests'");
  await eventually(async () => (await page.locator('.queued').count()) === 0, { what: 'an empty queue' });
  const types = await world.web.events(id);
  expect(types.filter((type) => type === 'prompt.dropped')).toHaveLength(1);
  expect(types.filter((type) => type === 'prompt.queued')).toHaveLength(2);
  // Stop is asked for once more.
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.locator('.state.stopped').first().waitFor();
});

test('text of an agent runs nothing, loads nothing and hides nothing', async () => {
  const { page } = world;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(world.web.origin) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  const evil = [
    '<img src=x onerror="window.owned=1"><script>window.owned=1</script>',
    '![a](https://evil.example/pixel.png)',
    '[click](javascript:window.owned=1) [data](data:text/html,x) [ok](https://example.com/path)',
    '<iframe src="https://evil.example"></iframe> <svg onload="window.owned=1">',
    'safe\u202egnp.exe and pay\u200bpal and \u001b]0;title\u0007',
  ].join('\n\n');
  const id = await world.prompted(
    'evil',
    `${evil}\nSCRIPT${JSON.stringify({ steps: [bash(`echo '${evil.slice(0, 60)}'`), { text: evil }] })}SCRIPT`,
  );
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.reply a', { hasText: 'ok' }).waitFor();
  await page.locator('.calls-head').click();
  expect(await world.read("[...document.querySelectorAll('.talk a')].map(({ href }) => href)")).toEqual([
    'https://example.com/path',
  ]);
  expect(await page.locator('.talk img, .talk iframe, .talk script').count()).toBe(0);
  const codes = await page.locator('.reply .odd').allInnerTexts();
  expect(codes).toEqual(expect.arrayContaining(['\\u202e', '\\u200b']));
  expect(await world.read('window.owned ?? null')).toBeNull();
  expect(foreign).toEqual([]);
});

test('without the server the last list stays, dimmed, and comes back by itself', async () => {
  const { page } = world;
  await world.go('#/');
  await page.locator('.row').first().waitFor();
  const rows = await page.locator('.row').count();
  await world.web.unserve('SIGKILL');
  await page.locator('.connection.bad').waitFor();
  expect(await page.locator('.fleet.stale .row').count()).toBe(rows);
  await world.web.serve();
  await world.isLive();
  await page.locator('.fleet:not(.stale)').waitFor();
  expect(await page.locator('.connection').count()).toBe(0);
  // What the browser itself says about a server that is not there.
  world.complaints.splice(
    0,
    world.complaints.length,
    ...world.complaints.filter((text) => !/ERR_|WebSocket|401/.test(text)),
  );
});

test('a browser without a key sees a command, and no form', async () => {
  const { page, context } = await world.browser.page();
  await page.goto(world.web.origin);
  await page.getByText('outlast web link').waitFor();
  expect(await page.locator('form, input, [data-session]').count()).toBe(0);
  await page.goto(`${world.web.origin}/#code=${'A'.repeat(22)}`);
  await page.reload();
  await page.getByText('outlast web link').waitFor();
  expect(page.url()).not.toContain('code');
  await context.close();
});

test('a browser that may only read is offered nothing else', async () => {
  const id = await world.start('read-only', [bash('echo x'), { text: 'x' }], NO_RULES);
  const asked = await world.asked(id);
  const { page, context } = await world.browser.page();
  await page.goto(await world.web.link('--allow', 'read'));
  await world.isLive(page);
  await page.evaluate(`location.hash = '#/session/${id}'`);
  await page.getByText('This browser may read, but not write prompts.').waitFor();
  await page.locator('.asking').getByText('This browser may read, but not answer.').waitFor();
  expect(await page.locator('textarea, .acts button, .answers').count()).toBe(0);
  await page.evaluate(`location.hash = '#/inbox/${asked.id}'`);
  await page.locator('.question .decision').waitFor();
  await page.keyboard.press('y');
  expect((await world.web.client.approvals.list({ session: id })).length).toBe(1);
  await context.close();
});

test('the first view of another browser is at most 60 kB, and the one before is told of it', async () => {
  const { page, context } = await world.browser.page();
  await page.goto(await world.web.link());
  await world.isLive(page);
  // The page that was here before is told about it.
  await world.page.getByText(/^Another browser was signed in: /).waitFor();
  const loaded = await page.evaluate(
    "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
  );
  const assets = (loaded as string[]).filter((path) => /\.(?:js|css)$/.test(path));
  const bodies = await Promise.all(assets.map((path) => world.web.ask(path)));
  expect(assets.length).toBeGreaterThan(1);
  expect(bodies.map(({ status }) => status)).toEqual(assets.map(() => 200));
  expect(bodies.reduce((sum, { body }) => sum + gzipSync(body).length, 0)).toBeLessThanOrEqual(60_000);
  await context.close();
});

test('with the keyboard alone a prompt, a yes and a stop are possible, and the focus is seen', async () => {
  const { page } = world;
  for (const { id: open } of await world.web.client.approvals.list())
    await world.web.client.approvals.decide(open, false);
  const id = await world.start('keys-only', [bash('echo y'), { text: 'first' }], NO_RULES);
  const asked = await world.asked(id);
  await world.go('#/');
  // The list and the inbox both know it.
  await page.locator('.row').first().getByText('1 to approve').waitFor();
  await page.locator('.badge', { hasText: '1' }).waitFor();
  await page.keyboard.press('a');
  await page.locator('.question .armed').waitFor();
  expect(page.url()).toContain(asked.id);
  await page.keyboard.press('y');
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.composer textarea').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('and again');
  await page.keyboard.press('Enter');
  await page.locator('.reply', { hasText: 'You said: and again' }).waitFor();
  await world.is(id, 'idle');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop' }).focus();
  await world.until("getComputedStyle(document.activeElement).outlineStyle === 'solid'");
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await world.is(id, 'ended');
});
