import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unreachable } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { ENVIRONMENT, type Env, findOnPath } from '../config/config.ts';
import type { NoticeConfig, Route } from '../config/schema.ts';
import * as chat from './chat.ts';
import { desktopArgv, desktopEnvironment } from './desktop.ts';
import { cut, type NoticeItem } from './item.ts';
import { mailOf } from './mail.ts';
import { type Explained, failed, post, reasonOf, type Sent } from './post.ts';
import { bodyOf, textOf, titleOf } from './text.ts';

export type { Sent } from './post.ts';

/** The items of one delivery. The id is the same for each try. */
export interface Delivery {
  readonly id: string;
  readonly items: readonly NoticeItem[];
}

/** Beyond this length ntfy turns a message into a file. */
const NTFY_CHARS_MAX = 1_000;
const DESKTOP_CHARS_MAX = 500;
/** The services themselves allow more; nobody reads more in a message. */
const CHAT_CHARS_MAX = 2_500;
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

function take(route: Route, delivery: Delivery, signal: AbortSignal): Promise<Sent> {
  const { items } = delivery;
  switch (route.kind) {
    case 'command':
      return run(route.argv, textOf(items), signal);
    case 'webhook':
      return postWebhook(route, delivery, signal);
    case 'desktop': {
      const argv = desktopArgv(process.platform, shortTitle(items), bodyOf(items, DESKTOP_CHARS_MAX));
      return run(argv, '', signal, desktopEnvironment());
    }
    case 'ntfy':
      return postNtfy(route, delivery, signal);
    case 'email': {
      const { to, from, command } = route;
      const mail = { id: delivery.id, to, from, subject: shortTitle(items), text: textOf(items) };
      const message = mailOf({ ...mail, atMs: Date.parse(items[0]?.at ?? '') });
      return run([mailProgram(command[0]), ...command.slice(1)], message, signal);
    }
    case 'slack':
    case 'discord':
    case 'teams':
    case 'telegram':
      return postChat(route, items, signal);
    default:
      return unreachable(route);
  }
}

/** A sendmail is rarely on the PATH of a user. */
function mailProgram(name: string): string {
  return findOnPath(name) ?? findOnPath(name, '/usr/sbin:/usr/lib') ?? name;
}

function run(
  argv: readonly [string, ...string[]],
  text: string,
  signal: AbortSignal,
  env: Env = ENVIRONMENT,
): Promise<Sent> {
  const [program, ...rest] = argv;
  return new Promise((resolve, reject) => {
    // A group of its own, so that at the deadline nothing it started survives.
    const child = spawn(program, rest, { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'], env });
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
  return post({ url: route.url, headers, body, signal });
}

async function postNtfy(
  route: Extract<Route, { kind: 'ntfy' }>,
  { items }: Delivery,
  signal: AbortSignal,
): Promise<Sent> {
  const headers: Record<string, string> = { title: headerWord(shortTitle(items)) };
  if (items.some((item) => item.failed)) headers.tags = 'warning';
  if (route.tokenFile) headers.authorization = `Bearer ${await secretIn(route.tokenFile)}`;
  const url = `${baseOf(route.url)}/${route.topic}`;
  return post({ url, headers, body: bodyOf(items, NTFY_CHARS_MAX), signal });
}

type ChatRoute = Extract<Route, { kind: 'slack' | 'discord' | 'teams' | 'telegram' }>;

/** How each service is told, and how it explains a failure. */
const CHATS: Readonly<Record<ChatRoute['kind'], (body: string) => Explained>> = {
  slack: chat.explainSlack,
  discord: chat.explainDiscord,
  teams: chat.explainTeams,
  telegram: chat.explainTelegram,
};

async function postChat(route: ChatRoute, items: readonly NoticeItem[], signal: AbortSignal): Promise<Sent> {
  const message = {
    title: titleOf(items),
    body: bodyOf(items, CHAT_CHARS_MAX),
    isBad: items.some((item) => item.failed),
  };
  const { url, body } = await chatRequest(route, message);
  const headers = { 'content-type': 'application/json' };
  return post({ url, headers, body: JSON.stringify(body), signal, explain: CHATS[route.kind] });
}

async function chatRequest(route: ChatRoute, message: chat.Message): Promise<{ url: string; body: object }> {
  switch (route.kind) {
    case 'slack':
      return { url: await addressIn(route.urlFile), body: chat.slackMessage(message) };
    case 'teams':
      return { url: await addressIn(route.urlFile), body: chat.teamsMessage(message) };
    case 'discord': {
      const url = new URL(await addressIn(route.urlFile));
      // Without it Discord answers before it has looked at the message.
      url.searchParams.set('wait', 'true');
      return { url: url.href, body: chat.discordMessage(message) };
    }
    case 'telegram': {
      const url = `${baseOf(route.url)}/bot${await secretIn(route.tokenFile)}/sendMessage`;
      return { url, body: chat.telegramMessage(route.chat, message) };
    }
    default:
      return unreachable(route);
  }
}

/** The address in a file. It is a secret, so a message about it never quotes it. */
async function addressIn(path: string): Promise<string> {
  const text = await secretIn(path);
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new Error(`${path} has no http:// or https:// address in it`);
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, '');
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
