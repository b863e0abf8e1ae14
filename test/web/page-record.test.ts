import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { bash, PageWorld } from './page-world.ts';

// What is recorded of a session: its events, its changes and its report. One world for all, sessions of its own each.

let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.open();
  await world.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world[Symbol.asyncDispose]();
});

const write = (path: string, text: string): object => ({ tool: 'Write', input: { file_path: path, content: text } });
const copied = (): Promise<string> => world.read('navigator.clipboard.readText()');

/** Starts an agent in a repository of its own with these files. */
function startIn(name: string, files: Readonly<Record<string, string>>, steps: readonly object[]): Promise<string> {
  return world.start(name, steps, undefined, world.repository(name, files));
}

test('keys lead to each view of a session, and each is an address', async () => {
  const { page } = world;
  const id = await startIn('views', {}, [{ text: 'hello' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}`);
  await page.locator('.reply').waitFor();
  for (const [key, tab, shows] of [
    ['3', 'events', '.events .event-row'],
    ['4', 'changes', '.changes .view-empty'],
    ['5', 'report', '.sheet h3'],
    ['1', 'conversation', '.reply'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(shows).first().waitFor();
    expect(page.url()).toMatch(tab === 'conversation' ? new RegExp(`${id}$`) : new RegExp(`${id}/${tab}$`));
  }
  await page.keyboard.press('4');
  await page.reload();
  await page.locator('.changes .view-empty', { hasText: 'Nothing has changed' }).waitFor();
  // A command has no conversation, and its files are not kept.
  const { id: command } = await world.web.client.start({ argv: ['true'], cwd: world.folder });
  await world.go(`#/session/${command}/changes`);
  await page.locator('[role=tab]').first().waitFor();
  expect(await page.locator('[role=tab]').allInnerTexts()).toEqual(['Screen', 'Events', 'Report']);
});

test('a fault has its evidence: what was running, what came of it, its place in the journal', async () => {
  const { page } = world;
  const id = await world.killed('killed');
  const faults = [];
  for await (const each of world.web.client.events({ session: id, types: ['run.faulted'] })) faults.push(each);
  const [fault] = faults;
  if (fault === undefined) throw new Error('nothing broke');
  await world.go(`#/session/${id}/events`);
  await page.locator('.chip.bad').waitFor();
  // With the keyboard alone.
  await page.keyboard.press('e');
  const evidence = page.locator('.evidence');
  await evidence.waitFor();
  expect(await evidence.locator('h2').innerText()).toMatch(/^run 2 broke: .*; next try after/);
  expect(await evidence.locator('[data-part=at-work]').innerText()).toContain('Bash sleep 1000');
  const remedy = await evidence.locator('[data-part=remedy]').innerText();
  expect(remedy).toMatch(/is continued, try 2/);
  expect(remedy).toMatch(/run 3 starts \(resume\)/);
  expect(await evidence.locator('.position').innerText()).toBe(String(fault.position));
  expect(JSON.parse(await evidence.locator('.evidence-json pre').innerText())).toEqual(fault.body);
  await page.getByRole('button', { name: 'Copy as --after' }).click();
  await eventually(async () => (await copied()) === `outlast events ${id} --after ${fault.after}`, {
    what: 'a command',
  });
  // What is copied reads on from there.
  const { stdout } = await world.web.cli(['events', id, '--after', fault.after, '--limit', '1', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ session: id, seq: fault.seq + 1 });
  await page.keyboard.press('Escape');
  await eventually(async () => (await evidence.count()) === 0, { what: 'no evidence' });
  expect(page.url()).toContain('/events');
});

test('events are filtered by kind and by trouble, and the keyboard leads through them', async () => {
  const { page } = world;
  const id = await world.start('filtered', [bash('true'), bash('exit 3'), bash('true'), { text: 'done' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}/events`);
  await page.locator('.event-row.bad').waitFor();
  const lines = (): Promise<string[]> => page.locator('.event-row[data-seq] .event-text').allInnerTexts();
  await page.getByRole('button', { name: 'Tools' }).click();
  await eventually(async () => (await lines()).length === 3, { what: 'three calls' });
  expect((await lines()).map((line) => line.slice(0, 9))).toEqual(['Bash true', 'Bash exit', 'Bash true']);
  await page.getByRole('button', { name: /^Only trouble/ }).click();
  await eventually(async () => (await lines()).length === 1, { what: 'one call' });
  expect((await lines())[0]).toContain('exit 3');
  // Its run and its turn are there, and nothing else.
  expect(await page.locator('.group-row').count()).toBe(2);
  await page.getByRole('button', { name: /^Only trouble/ }).click();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.keyboard.press('j');
  await world.until("document.activeElement.matches('.event-row.at')");
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await world.read("[...document.querySelectorAll('.event-row')].indexOf(document.activeElement)")).toBe(0);
  await page.keyboard.press('Enter');
  await page.locator('.evidence').waitFor();
  // Open evidence follows the keyboard.
  const title = await page.locator('.evidence h2').innerText();
  await page.keyboard.press('j');
  await eventually(async () => (await page.locator('.evidence h2').innerText()) !== title, { what: 'the next event' });
});

test('an event that comes is shown, and moves nothing while a person reads', async () => {
  const { page } = world;
  const calls = Array.from({ length: 40 }, () => bash('true'));
  const id = await world.start('live', [...calls, { text: 'once' }]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}/events`);
  await page.locator('.event-row', { hasText: 'answered: once' }).waitFor();
  await world.web.client.prompt({ session: id, prompt: 'again' });
  // The newest is in view.
  await page.locator('.event-row', { hasText: 'answered: You said: again' }).waitFor();
  await world.read("document.querySelector('.events .virtual').scrollTo(0, 0)");
  const first = page.locator('.event-row').first();
  await first.waitFor();
  const before = [await first.innerText(), await first.boundingBox()];
  await world.web.client.prompt({ session: id, prompt: 'and again' });
  await page.locator('.events .fresh').waitFor();
  expect([await first.innerText(), await first.boundingBox()]).toEqual(before);
  await page.locator('.events .fresh').click();
  await page.locator('.event-row', { hasText: 'answered: You said: and again' }).waitFor();
  expect(await page.locator('.events .fresh').count()).toBe(0);
});

test('changes are those of `outlast diff`, since the start, since a turn and of one turn', async () => {
  const { page } = world;
  const files = { 'a.ts': 'one\n-- two\nthree\n', 'gone.txt': 'x\n', 'old.txt': 'same\nsame\nsame\n' };
  const cwd = join(world.folder, 'compared');
  const id = await startIn('compared', files, [write(join(cwd, 'a.ts'), 'one\n++ zwei\nthree\n'), { text: 'first' }]);
  await world.is(id, 'idle');
  rmSync(join(cwd, 'gone.txt'));
  renameSync(join(cwd, 'old.txt'), join(cwd, 'new.txt'));
  writeFileSync(join(cwd, 'picture.png'), Buffer.from([0x89, 0, 1, 2, 0]));
  writeFileSync(join(cwd, 'big.txt'), 'line\n'.repeat(4_000));
  const steps = [write(join(cwd, 'b.ts'), 'new\n'), { text: 'second' }];
  await world.web.client.converse(id, `more\nSCRIPT${JSON.stringify({ steps })}SCRIPT`);
  await world.go(`#/session/${id}/changes`);
  for (const [choice, words] of [
    ['', []],
    ['since 2', ['--since-turn', '2']],
    ['turn 1', ['--turn', '1']],
  ] as const) {
    await page.locator('.since').selectOption(choice);
    const { stdout } = await world.web.cli(['diff', id, '--json', ...words]);
    const told = JSON.parse(stdout) as { files: { path: string; additions: number | null }[]; diff: string };
    const paths = told.files.map(({ path }) => path);
    await eventually(async () => (await shownPaths()).join() === paths.join(), { what: `the files of ${choice}` });
    const changed = told.diff.split('\n').filter((line) => /^[+-](?!\+\+ [ab/]|-- [ab/])/.test(line));
    expect(await page.locator('.file-lines .line.added, .file-lines .line.removed').count()).toBe(changed.length);
  }
  await page.locator('.since').selectOption('');
  await page.locator('.file[data-path="new.txt"]').getByText('Only its name has changed.').waitFor();
  await page.locator('.file[data-path="picture.png"]').getByText('A binary file').waitFor();
  await page
    .locator('.file[data-path="big.txt"]')
    .getByText('4,000 lines have changed: too many to show here.')
    .waitFor();
  expect(await page.locator('.file[data-path="gone.txt"] .file-status').innerText()).toBe('D');
  expect(await page.locator('.file[data-path="a.ts"] .removed code').innerText()).toBe('-- two');
});

const shownPaths = (): Promise<string[]> =>
  world.read("[...document.querySelectorAll('.file')].map(({ dataset }) => dataset.path)");

test('a file is viewed in this browser until it is changed again', async () => {
  const { page } = world;
  const cwd = join(world.folder, 'viewed');
  const id = await startIn('viewed', { 'a.ts': 'a\n', 'b.ts': 'b\n' }, [
    write(join(cwd, 'a.ts'), 'A\n'),
    write(join(cwd, 'b.ts'), 'B\n'),
    { text: 'done' },
  ]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}/changes`);
  await page.locator('.file').nth(1).waitFor();
  // With the keyboard alone.
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await page.getByText('1 of 2 viewed').waitFor();
  expect(await page.locator('.file-lines').count()).toBe(1);
  await page.reload();
  await page.getByText('1 of 2 viewed').waitFor();
  expect(await page.locator('.file.is-viewed').getAttribute('data-path')).toBe('a.ts');
  writeFileSync(join(cwd, 'a.ts'), 'AA\n');
  await page.locator('.view-bar').getByRole('button', { name: 'Read it again' }).click();
  await page.getByText('0 of 2 viewed').waitFor();
});

test('comments on lines survive a reload and become exactly one prompt', async () => {
  const { page } = world;
  const cwd = join(world.folder, 'reviewed');
  const id = await startIn('reviewed', { 'a.ts': 'const a = 1;\n', 'b.ts': 'b\n' }, [
    write(join(cwd, 'a.ts'), 'const a = 2;\n'),
    write(join(cwd, 'b.ts'), 'B\n'),
    { text: 'done' },
  ]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}/changes`);
  const file = page.locator('.file[data-path="a.ts"]');
  await file.locator('.added button.number').click();
  await page.locator('.comment-box textarea').fill('Why not 3?');
  await page.locator('.comment-box').getByRole('button', { name: 'Add' }).click();
  // With the keyboard alone: the second file, its first line.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('c');
  await world.until("document.activeElement.matches('.comment-box textarea')");
  await page.keyboard.type('Keep this one.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 comments', { exact: true }).waitFor();
  await page.reload();
  await page.locator('.comment-text').nth(1).waitFor();
  await page.getByRole('button', { name: 'Send 2 comments as one prompt' }).dblclick();
  await eventually(async () => (await page.locator('.comments-bar').count()) === 0, { what: 'sent comments' });
  await world.is(id, 'idle');
  const prompts = [];
  for await (const { body } of world.web.client.events({ session: id, types: ['prompt.queued'] }))
    prompts.push(body.text);
  expect(prompts.slice(1)).toEqual([
    [
      'Comments on what you changed:',
      'a.ts, line 1:\n> +const a = 2;\nWhy not 3?',
      'b.ts, removed line 1:\n> -b\nKeep this one.',
    ].join('\n\n'),
  ]);
  expect(await page.locator('.comment-text').count()).toBe(0);
});

test('what is not committed in a worktree is said above its changes', async () => {
  const { page } = world;
  const repository = world.repository('origin', { 'a.txt': 'a\n' });
  const git = (...words: string[]): void => {
    const who = ['-c', 'user.name=ana', '-c', 'user.email=ana@example.com'];
    execFileSync('git', ['-C', repository, ...who, ...words], { env: world.web.env, stdio: 'ignore' });
  };
  git('add', '.');
  git('commit', '-m', 'first');
  const ran = await world.web.cli(['start', '--agent', 'scripted', '--worktree=fix', '--name', 'apart', 'hello'], {
    cwd: repository,
  });
  expect(ran.status).toBe(0);
  const { session } = await world.web.client.show('apart');
  await world.is(session.id, 'idle');
  writeFileSync(join(session.workspace, 'new.txt'), 'new\n');
  await world.go(`#/session/${session.id}/changes`);
  const note = page.locator('.change-note.at-risk');
  // How a worktree is, is looked at only now and then.
  const isTold = async (): Promise<boolean> => {
    await page.locator('.view-bar').getByRole('button', { name: 'Read it again' }).click();
    return (await note.count()) > 0;
  };
  await page.locator('.change-note.worktree').waitFor();
  await eventually(isTold, { what: 'a file that is not committed' });
  expect(await note.innerText()).toContain('branch fix: 1 file is not committed.');
});

test('why changes cannot be shown is told, with a way to try again', async () => {
  const { page } = world;
  const id = await world.start('lost', [{ text: 'x' }]);
  await world.is(id, 'idle');
  rmSync(join(world.web.state, 'sessions', id, 'changes'), { recursive: true });
  await world.go(`#/session/${id}/changes`);
  const unread = page.locator('.view-unread');
  await unread.waitFor();
  expect(await unread.innerText()).toContain('no copy of its files was kept');
  await unread.getByRole('button', { name: 'Try again' }).waitFor();
  world.complaints.splice(
    0,
    world.complaints.length,
    ...world.complaints.filter((text) => !/status of 4\d\d/.test(text)),
  );
});

test('a report is that of `outlast report`, and is copied as Markdown', async () => {
  const { page } = world;
  const { id } = await world.web.client.start({ argv: ['sh', '-c', 'echo the end; exit 3'], cwd: world.folder });
  await world.is(id, 'ended');
  await world.go(`#/session/${id}/report`);
  await page.locator('.sheet h3', { hasText: 'Report:' }).waitFor();
  const { stdout } = await world.web.cli(['report', id]);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await eventually(async () => (await copied()) === stdout, { what: 'the report' });
  const sheet = await page.locator('.sheet').innerText();
  for (const line of stdout.split('\n').filter((each) => /^(?:run 1|the end)/.test(each)))
    expect(sheet).toContain(line);
  // On paper there is the report alone, and all of it.
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.rail, .list, .view-bar').filter({ visible: true }).count()).toBe(0);
  expect(await world.read("getComputedStyle(document.querySelector('.report')).overflowY")).toBe('visible');
  await page.emulateMedia({ media: 'screen' });
});

test('names, paths and contents run nothing, load nothing and hide nothing in these views', async () => {
  const { page } = world;
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(world.web.origin) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  const evil = '<img src=x onerror="window.owned=1">';
  const name = `${evil.replaceAll('/', '')} \u202egnp.exe pay\u200bpal.html`;
  const cwd = join(world.folder, 'odd');
  const text = `${evil}\n\u202eright\u200b\n\u001b]0;title\u0007 ![a](https://evil.example/p.png)\n`;
  const id = await startIn('odd', {}, [
    write(join(cwd, name), text),
    bash(`echo '${evil}'; exit 1`),
    { text: `${evil} ![a](https://evil.example/p.png) [x](javascript:window.owned=1) \u202e` },
  ]);
  await world.is(id, 'idle');
  await world.go(`#/session/${id}/changes`);
  await page.locator('.file-lines .added').first().waitFor();
  expect(await page.locator('.file-path .odd').allInnerTexts()).toEqual(['\\u202e', '\\u200b']);
  expect(await page.locator('.file-path').innerText()).toContain(evil);
  expect(await page.locator('.file-lines .odd').allInnerTexts()).toEqual(['\\u202e', '\\u200b']);
  expect(await page.locator('.file-lines').innerText()).not.toMatch(/[\u0000-\u0008\u001b\u200b\u202e]/);
  await page.keyboard.press('3');
  await page.locator('.event-row.bad').first().waitFor();
  for (const row of await page.locator('.event-row[data-seq]').all()) {
    await row.click();
    await page.locator('.evidence').waitFor();
  }
  await page.keyboard.press('5');
  await page.locator('.sheet blockquote').waitFor();
  expect(await page.locator('.sheet .odd').count()).toBeGreaterThan(0);
  expect(
    await page.locator('.session img, .session iframe, .session script, .session a[href^="javascript"]').count(),
  ).toBe(0);
  expect(await world.read('window.owned ?? null')).toBeNull();
  expect(foreign).toEqual([]);
});

test('a browser that may only read is offered no comments', async () => {
  const cwd = join(world.folder, 'readable');
  const id = await startIn('readable', { 'a.ts': 'a\n' }, [write(join(cwd, 'a.ts'), 'A\n'), { text: 'done' }]);
  await world.is(id, 'idle');
  const { page, context } = await world.browser.page();
  await page.goto(await world.web.link('--allow', 'read'));
  await world.isLive(page);
  await page.evaluate(`location.hash = '#/session/${id}/changes'`);
  await page.locator('.file-lines .added').waitFor();
  expect(await page.locator('button.number, .file-head .icon-button, .comments-bar').count()).toBe(0);
  await context.close();
});
