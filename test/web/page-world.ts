import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ApprovalView } from '../../src/client/index.ts';
import { scriptedProof } from '../e2e/gated.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { RealBrowser } from './chromium.ts';
import { WebWorld } from './web-world.ts';

/** What does not show by then is not coming; two cores are shared by several test files. */
const TIMEOUT_MS = 15_000;

/** A person at the page: a daemon, its server, a browser that is signed in, and a folder to work in. */
export class PageWorld implements AsyncDisposable {
  readonly web: WebWorld;
  readonly browser: RealBrowser;
  page: Page;
  /** Errors and warnings of the page, among them those of its security policy. */
  readonly complaints: string[];
  readonly folder: string;

  private constructor(web: WebWorld, browser: RealBrowser, opened: { page: Page; complaints: string[] }) {
    this.web = web;
    this.browser = browser;
    this.page = opened.page;
    this.complaints = opened.complaints;
    this.page.setDefaultTimeout(TIMEOUT_MS);
    this.folder = join(web.state, 'shop');
    mkdirSync(this.folder, { recursive: true });
  }

  static async open(config: object = {}): Promise<PageWorld> {
    const web = new WebWorld({ config: { agent: 'scripted', ...config } });
    writeFileSync(join(web.state, 'gates.json'), scriptedProof());
    await web.start();
    const [link, browser] = await Promise.all([web.serve(), RealBrowser.start()]);
    const world = new PageWorld(web, browser, await browser.page());
    await world.page.goto(link);
    await world.isLive();
    return world;
  }

  /** Opens the page once more, as after its tab was closed. */
  async reopen(): Promise<void> {
    this.page = await this.page.context().newPage();
    this.page.setDefaultTimeout(TIMEOUT_MS);
    await this.page.goto(this.web.origin);
    await this.isLive();
  }

  /** Starts a session with these steps; returns its id. */
  start(name: string, steps: readonly object[], gate?: { readonly allow: string[] }, cwd?: string): Promise<string> {
    return this.prompted(name, `work on it\nSCRIPT${JSON.stringify({ steps })}SCRIPT`, gate, cwd);
  }

  /** Starts a session with a prompt, behind a gate if one is given; returns its id. */
  async prompted(
    name: string,
    prompt: string,
    gate?: { readonly allow: string[] },
    cwd = this.folder,
  ): Promise<string> {
    const gated = gate === undefined ? {} : { gate: { mode: 'gate' as const, ...gate } };
    const { id } = await this.web.client.start({ agent: 'scripted', name, prompt, cwd, ...gated });
    return id;
  }

  /** A git repository of its own with these files: what is changed there is found however slow the machine is. */
  repository(name: string, files: Readonly<Record<string, string>> = {}): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    execFileSync('git', ['init', '-q', '-b', 'main', folder], { env: this.web.env });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    return folder;
  }

  /** Waits for the phase of a session. */
  async is(session: string, phase: string): Promise<void> {
    const check = async (): Promise<boolean> => (await this.web.client.show(session)).session.phase === phase;
    await eventually(check, { what: `${session} ${phase}` });
  }

  /** Starts a session whose second run is killed in the middle of a command, and waits until it is resumed. */
  async killed(name: string): Promise<string> {
    const id = await this.start(name, [{ text: 'hello' }]);
    await this.is(id, 'idle');
    const steps = [bash('sleep 1000')];
    await this.web.client.prompt({ session: id, prompt: `go on\nSCRIPT${JSON.stringify({ steps })}SCRIPT` });
    const has = (type: string, count: number) => async (): Promise<boolean> =>
      (await this.web.events(id)).filter((each) => each === type).length >= count;
    await eventually(has('tool.called', 1), { what: `a call of ${name}` });
    kill((await this.web.client.show(id)).session.pid);
    await eventually(has('run.starting', 3), { what: `a third run of ${name}` });
    return id;
  }

  /** Waits for the only question of a session. */
  asked(session: string): Promise<ApprovalView> {
    const check = async () => (await this.web.client.approvals.list({ session }))[0];
    return eventually(check, { what: `a question of ${session}` }) as Promise<ApprovalView>;
  }

  /** Goes to a place on the page, as a link does. */
  async go(fragment: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  }

  /** Waits until the page is connected. */
  async isLive(page = this.page): Promise<void> {
    await page.locator('html[data-connection=live]').waitFor();
  }

  /** Waits until the page computes something true. Its security policy lets no text become code, so it is asked. */
  async until(expression: string): Promise<void> {
    await eventually(() => this.read<boolean>(expression), { what: expression, msMax: TIMEOUT_MS });
  }

  /** Reads what the page computes. */
  read<T>(expression: string): Promise<T> {
    return this.page.evaluate(expression) as Promise<T>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser[Symbol.asyncDispose]();
    await this.web[Symbol.asyncDispose]();
  }
}

/** A step in which the agent runs a command. */
export function bash(command: string): object {
  return { tool: 'Bash', input: { command, description: 'x' } };
}
