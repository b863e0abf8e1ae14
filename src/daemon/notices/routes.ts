import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unreachable } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import type { NoticeConfig, Route } from '../config/schema.ts';
import { cut, type NoticeItem } from './item.ts';
import { bodyOf, textOf, titleOf } from './text.ts';

/** The items of one delivery. The id is the same for each try. */
export interface Delivery {
  readonly id: string;
  readonly items: readonly NoticeItem[];
}

/** The result of one try. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Beyond this length ntfy turns a message into a file. */
const NTFY_CHARS_MAX = 1_000;
const DESKTOP_CHARS_MAX = 500;
const TITLE_CHARS_MAX = 200;

/** Tries one delivery once, within the notice's timeout. Never throws: failures are expected. */
export async function send(notice: NoticeConfig, delivery: Delivery, clock: Clock, signal: AbortSignal): Promise<Sent> {
  const done = new AbortController();
  const late = new AbortController();
  void clock.sleep(notice.timeoutMs, AbortSignal.any([signal, done.signal])).then(() => late.abort());
  try {
    return await take(notice.route, delivery, late.signal);
  } catch (error) {
    return failed(late.signal.aborted ? `no answer within ${notice.timeoutMs} ms` : reasonOf(error));
  } finally {
    done.abort();
  }
}

/** The command that shows a desktop notification. Our text is an argument, never an option and never a script. */
export function desktopArgv(platform: string, title: string, body: string): readonly [string, ...string[]] {
  if (platform !== 'darwin') return ['notify-send', '--app-name=Outlast', '--', title, escapeMarkup(body)];
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
  return ['osascript', ...script.flatMap((line) => ['-e', line]), '--', title, body];
}

function take(route: Route, delivery: Delivery, signal: AbortSignal): Promise<Sent> {
  const { items } = delivery;
  switch (route.kind) {
    case 'command':
      return run(route.argv, textOf(items), signal);
    case 'webhook':
      return postWebhook(route, delivery, signal);
    case 'desktop':
      return run(desktopArgv(process.platform, shortTitle(items), bodyOf(items, DESKTOP_CHARS_MAX)), '', signal);
    case 'ntfy':
      return postNtfy(route, delivery, signal);
    default:
      return unreachable(route);
  }
}

function run(argv: readonly [string, ...string[]], text: string, signal: AbortSignal): Promise<Sent> {
  const [program, ...rest] = argv;
  return new Promise((resolve, reject) => {
    // A group of its own, so that at the deadline nothing it started survives.
    const child = spawn(program, rest, { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
    const end = (): void => {
      if (child.pid !== undefined) endGroup(child.pid);
      reject(new Error('ended at its deadline'));
    };
    signal.addEventListener('abort', end, { once: true });
    child.on('error', (error) => reject(new Error(`cannot run ${program}: ${reasonOf(error)}`)));
    child.on('exit', (status, name) => {
      signal.removeEventListener('abort', end);
      resolve(status === 0 ? { ok: true } : failed(`${program} ended with ${name ?? `exit ${status}`}`));
    });
    // A command need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
}

async function postWebhook(
  route: Extract<Route, { kind: 'webhook' }>,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const body = JSON.stringify({ notices: delivery.items });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(route.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : await secretIn(value.file);
  }
  headers['content-type'] = 'application/json';
  headers['x-outlast-delivery'] = delivery.id;
  if (route.secretFile) {
    const signature = createHmac('sha256', await secretIn(route.secretFile))
      .update(body)
      .digest('hex');
    headers['x-outlast-signature'] = `sha256=${signature}`;
  }
  return post(route.url, headers, body, signal);
}

async function postNtfy(
  route: Extract<Route, { kind: 'ntfy' }>,
  { items }: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const headers: Record<string, string> = { title: headerWord(shortTitle(items)) };
  if (items.some((item) => item.failed)) headers.tags = 'warning';
  if (route.tokenFile) headers.authorization = `Bearer ${await secretIn(route.tokenFile)}`;
  return post(`${route.url.replace(/\/+$/, '')}/${route.topic}`, headers, bodyOf(items, NTFY_CHARS_MAX), signal);
}

async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Sent> {
  // The path of a URL can be a secret, so only the host is named.
  const where = new URL(url).host;
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    // The status is enough; the body could be endless.
    await answer.body?.cancel();
    return answer.ok ? { ok: true } : failed(`${where} answered ${answer.status}`);
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(`cannot reach ${where}: ${reasonOf(error)}`);
  }
}

async function secretIn(path: string): Promise<string> {
  // Read each time, so that a new secret needs no restart.
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new Error(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

function headerWord(text: string): string {
  // ntfy reads other characters in the form of RFC 2047.
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function shortTitle(items: readonly NoticeItem[]): string {
  return cut(titleOf(items), TITLE_CHARS_MAX);
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function failed(why: string): Sent {
  return { ok: false, why };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errnoOf(cause) || (cause instanceof Error ? cause.message : String(cause));
}
