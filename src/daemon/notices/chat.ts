import { cut } from '../views/one-line.ts';
import type { Explained } from './post.ts';

// The messages of chat services, in the form that each documents. The text comes from agents and commands: it must not
// call people, format, or hide where a link leads. Lengths are counted in UTF-16:
// never less than what a service counts.

/** A message to people. */
export interface Message {
  readonly title: string;
  /** May be empty. */
  readonly body: string;
  /** Something failed. */
  readonly isBad: boolean;
}

const SLACK = { titleMax: 150, bodyMax: 3_000 } as const;
const DISCORD = { titleMax: 256, bodyMax: 4_096, red: 0xd73a49, green: 0x2ea043 } as const;
const TELEGRAM = { textMax: 4_096, titleMax: 200 } as const;
/** A card may have 28 KB; a character has at most three bytes, and a line costs about a hundred more. */
const TEAMS = { titleMax: 200, bodyMax: 5_000, linesMax: 40 } as const;

/** For an incoming webhook of Slack. Plain text is not parsed for mentions, links or formatting. */
export function slackMessage({ title, body }: Message): object {
  const plain = (text: string): object => ({ type: 'plain_text', text, emoji: false });
  const section = body === '' ? [] : [{ type: 'section', text: plain(cut(body, SLACK.bodyMax)) }];
  return {
    // For the notification of the app, and for readers that show no blocks. It is parsed, so it is escaped.
    text: escapeSlack(cut(title, SLACK.titleMax)),
    blocks: [{ type: 'header', text: plain(cut(title, SLACK.titleMax)) }, ...section],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** For a webhook of Discord. Nothing in an embed calls anybody, and nothing is allowed to. */
export function discordMessage({ title, body, isBad }: Message): object {
  const description = body === '' ? {} : { description: cut(escapeMarkdown(body), DISCORD.bodyMax) };
  return {
    username: 'Outlast',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(escapeMarkdown(title), DISCORD.titleMax),
        ...description,
        color: isBad ? DISCORD.red : DISCORD.green,
      },
    ],
  };
}

/** For `sendMessage` of a Telegram bot. The text is not parsed, but names after an @ are found in it. */
export function telegramMessage(chat: string, message: Message): object {
  const title = callNobody(cut(message.title, TELEGRAM.titleMax));
  const text = cut([title, callNobody(message.body)].filter(Boolean).join('\n'), TELEGRAM.textMax);
  return {
    chat_id: chat,
    text,
    entities: [{ type: 'bold', offset: 0, length: title.length }],
    link_preview_options: { is_disabled: true },
  };
}

/** For a webhook of Workflows in Teams. The runs of a rich text block are not parsed; a text block would be. */
export function teamsMessage({ title, body, isBad }: Message): object {
  const line = (text: string, more: object = {}): object => ({
    type: 'RichTextBlock',
    spacing: 'None',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  const lines = cut(body, TEAMS.bodyMax).split('\n').filter(Boolean).slice(0, TEAMS.linesMax);
  const head = line(cut(title, TEAMS.titleMax), { weight: 'Bolder', color: isBad ? 'Attention' : 'Default' });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [head, ...lines.map((text) => line(text))],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

/** Slack answers a word such as `no_service`. */
export function explainSlack(body: string): Explained {
  return { why: body === 'ok' ? '' : body };
}

/** Discord answers with a message, and in seconds when the next try may come. */
export function explainDiscord(body: string): Explained {
  const { message, retry_after: seconds } = objectIn(body);
  return { why: textOf(message), ...pauseOf(seconds) };
}

/** Telegram answers with a description, and in seconds when the next try may come. */
export function explainTelegram(body: string): Explained {
  const { description, parameters } = objectIn(body);
  const { retry_after: seconds } = isObject(parameters) ? parameters : {};
  return { why: textOf(description), ...pauseOf(seconds) };
}

/** An old connector of Teams answers 200 to a failure, and has the status in the text. */
export function explainTeams(body: string): Explained {
  const status = /endpoint returned HTTP error (\d{3})/.exec(body)?.[1];
  const { error } = objectIn(body);
  const { message } = isObject(error) ? error : {};
  return { why: textOf(message), ...(status !== undefined && { status: Number(status) }) };
}

/** Slack asks for exactly these three. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<@-]/g, '\\$&');
}

/** A word joiner after the @: it looks the same, and is no name any more. */
function callNobody(text: string): string {
  return text.replaceAll('@', '@\u2060');
}

function pauseOf(seconds: unknown): { retryMs?: number } {
  return typeof seconds === 'number' && seconds >= 0 ? { retryMs: Math.ceil(seconds * 1_000) } : {};
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
