import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import type { AgentUnderTest } from '../agents/under-test/agent.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { RealBrowser } from '../web/chromium.ts';
import { WebWorld } from '../web/web-world.ts';

// A person at the page and a real agent: what is started, read, answered, added, interrupted and resumed there.

/** A real agent starts within this on two busy cores, and its gate is probed first. */
const AGENT_MS_MAX = 150_000;

interface Played {
  readonly agent: AgentUnderTest;
  /** A prompt that writes a file; null: this agent's scripted model writes files by commands only. */
  readonly edit: ((path: string) => string) | null;
}

const edit = (path: string): string => {
  const steps = [{ tool: 'Write', input: { file_path: path, content: 'port = 8080\n' } }, { text: 'It is written.' }];
  return `Write it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;
};

const AGENTS: readonly Played[] = [
  { agent: CLAUDE_NEWEST, edit },
  { agent: CODEX_0_169, edit: null },
];

/** A person at the page, and the session that was started there. */
class AtPage implements AsyncDisposable {
  readonly page: Page;
  readonly #stage: Stage;
  readonly #web: WebWorld;
  readonly #browser: RealBrowser;

  private constructor(stage: Stage, web: WebWorld, browser: RealBrowser, page: Page) {
    this.#stage = stage;
    this.#web = web;
    this.#browser = browser;
    this.page = page;
  }

  static async open(stage: Stage): Promise<AtPage> {
    const { state } = stage.world;
    const web = new WebWorld({ state, configFile: join(state, 'config.json') });
    // What is started at the page has the environment of the server.
    Object.assign(web.env, stage.env);
    const [link, browser] = await Promise.all([web.serve(), RealBrowser.start()]);
    const { page } = await browser.page();
    page.setDefaultTimeout(AGENT_MS_MAX);
    await page.goto(link);
    await page.locator('html[data-connection=live]').waitFor();
    return new AtPage(stage, web, browser, page);
  }

  /** Starts the agent live and behind a gate; the id of the session. */
  async start(agent: string, prompt: string): Promise<string> {
    const { page } = this;
    await page.evaluate(`location.hash = '#/new'`);
    await page.locator('#new-prompt').fill(prompt);
    await page.locator('#new-agent').selectOption(agent);
    await page.getByLabel('Live: one process').check();
    await page.locator('#new-gate').selectOption('gate');
    await page.locator('#new-folder').fill(this.#stage.workspace);
    await page.locator('.new-dialog button[type=submit]').click();
    await page.locator('.session-head, .new-fault').first().waitFor();
    expect(await page.locator('.new-fault').allInnerTexts()).toEqual([]);
    return /session\/([^/]+)/.exec(page.url())?.[1] ?? '';
  }

  /** Waits for the phase of a session. */
  is(session: string, phase: string): Promise<unknown> {
    const check = async (): Promise<boolean> => (await this.#stage.world.client.show(session)).session.phase === phase;
    return eventually(check, { what: `${session} ${phase}`, msMax: AGENT_MS_MAX });
  }

  /** Writes to the agent. */
  async send(text: string, key = 'Enter'): Promise<void> {
    const box = this.page.locator('.composer textarea');
    await box.fill(text);
    await box.press(key);
    await eventually(async () => (await box.inputValue()) === '', { what: 'what was written is sent' });
  }

  /** Waits until the agent says this. */
  async reads(text: string): Promise<void> {
    await this.page.locator('.reply', { hasText: text }).waitFor();
  }

  /** Says yes to what is asked; a call that no rule describes has to be held. */
  async allow(): Promise<void> {
    const { page } = this;
    await page.locator('.asking .answers.armed').waitFor();
    await page.locator('.asking .buttons .primary').hover();
    await page.mouse.down();
    const isHeld = (await page.locator('.asking .buttons .hold').count()) > 0;
    if (!isHeld) await page.mouse.up();
    await page.locator('.asking').waitFor({ state: 'detached' });
    if (isHeld) await page.mouse.up();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser[Symbol.asyncDispose]();
    await this.#web[Symbol.asyncDispose]();
  }
}

/** A write is shown as a diff, and made after the yes. */
async function editsFile(at: AtPage, stage: Stage, session: string, editing: (path: string) => string): Promise<void> {
  const path = join(stage.workspace, 'settings.txt');
  await at.send(editing(path));
  await at.page.locator('.asking .line').first().waitFor();
  const [asked] = await stage.world.client.approvals.list({ session });
  const diff = (asked?.diff ?? '').split('\n').filter((line) => /^[-+ ]/.test(line) && !/^(?:---|\+\+\+) /.test(line));
  const drawn = await at.page.locator('.asking .line').allInnerTexts();
  expect(drawn.join('\n')).toContain('port = 8080');
  expect(drawn.length).toBe(diff.length);
  expect(existsSync(path)).toBe(false);
  await at.allow();
  await at.reads('It is written.');
  expect(readFileSync(path, 'utf8')).toBe('port = 8080\n');
  await at.is(session, 'idle');
}

const PRESENT = some(AGENTS, 2)
  .filter(({ agent }) => agent.isHere() || process.env.CI === 'true')
  .map((played) => [played.agent.title, played] as const);

test.each(PRESENT)(
  '%s at the page: it is started, read as it writes, asked about, added to, interrupted, stopped and resumed',
  async (_, { agent, edit: editing }) => {
    await using stage = await openStage(agent);
    await using at = await AtPage.open(stage);
    const { page } = at;
    const session = await at.start(agent.name, stage.script({ say: 'One two three four five six.', pace: 40 }));
    await at.reads('One two three four five six.');
    await at.is(session, 'idle');

    if (editing !== null) await editsFile(at, stage, session, editing);

    const stop = join(stage.root, 'stop');
    await at.send(stage.untilFile(stop, 'It has run.'));
    await at.allow();
    await stage.waitForCall(session);
    await at.send('and be quick', 'Control+Enter');
    await page.locator('.acts').getByRole('button', { name: 'Interrupt' }).click();
    await at.is(session, 'idle');
    expect(existsSync(stop)).toBe(false);

    await page.locator('.acts').getByRole('button', { name: 'Stop' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Stop' }).click();
    await at.is(session, 'ended');
    await page.locator('.acts').getByRole('button', { name: 'Resume' }).click();
    await at.is(session, 'idle');
    await at.send(stage.script({ say: 'I am back.' }));
    await at.reads('I am back.');
    expect(await page.locator('.reply', { hasText: 'I am back.' }).count()).toBe(1);
  },
);
