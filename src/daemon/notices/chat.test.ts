import { expect, test } from 'vitest';
import * as chat from './chat.ts';
import { mailOf } from './mail.ts';

const hostile = '@everyone @here <!channel> <@U123> <https://evil.example|bank> [bank](https://evil.example) *b* `c`';
const long = { title: 'T'.repeat(500), body: '😀<&@*'.repeat(20_000), isBad: true };
const plain = { title: 'fix answered', body: 'All pass.\noutlast turn fix', isBad: false };

test('Slack gets plain text within its limits, and nothing that it would read as a mention or a link', () => {
  const made = chat.slackMessage({ title: hostile, body: hostile, isBad: false }) as SlackMessage;
  expect(made.text).not.toMatch(/[<>]/);
  expect(made.blocks.map(({ text }) => text.type)).toEqual(['plain_text', 'plain_text']);
  expect(made).toMatchObject({ unfurl_links: false, unfurl_media: false });
  const { blocks } = chat.slackMessage(long) as SlackMessage;
  expect(blocks.map(({ text }) => text.text.length <= (text.text.startsWith('T') ? 150 : 3_000))).toEqual([true, true]);
  // An empty text object is refused as invalid_blocks.
  expect((chat.slackMessage({ ...plain, body: '' }) as SlackMessage).blocks).toHaveLength(1);
});

test('Discord gets an embed within its limits, which calls nobody and formats nothing', () => {
  const made = chat.discordMessage({ title: hostile, body: hostile, isBad: true }) as DiscordMessage;
  expect(made.allowed_mentions).toEqual({ parse: [] });
  expect(made).not.toHaveProperty('content');
  expect(made.embeds[0]?.description).toMatch(/^\\@everyone \\@here \\<!channel\\>/);
  expect(made.embeds[0]?.description).toContain('\\[bank\\]\\(https://evil.example\\)');
  const [embed] = (chat.discordMessage(long) as DiscordMessage).embeds;
  expect([embed?.title.length, embed?.description?.length]).toEqual([256, 4_096]);
  const [small] = (chat.discordMessage({ ...plain, body: '' }) as DiscordMessage).embeds;
  expect(small).not.toHaveProperty('description');
});

test('Telegram gets at most 4096 characters without a parse mode, in which no @name is a name', () => {
  const made = chat.telegramMessage('-100', { title: hostile, body: hostile, isBad: false }) as TelegramMessage;
  expect(made.text).not.toMatch(/@\w/);
  expect(made).not.toHaveProperty('parse_mode');
  expect(made).toMatchObject({ chat_id: '-100', link_preview_options: { is_disabled: true } });
  const { text, entities } = chat.telegramMessage('1', long) as TelegramMessage;
  expect(text.length).toBeLessThanOrEqual(4_096);
  // Offsets count UTF-16, as strings do here.
  expect(text.slice(0, entities[0]?.length)).toBe(`${'T'.repeat(199)}…`);
});

test('Teams gets an adaptive card of at most 28 KB, whose text is not parsed', () => {
  const made = chat.teamsMessage({ title: hostile, body: `${hostile}\n${'line\n'.repeat(100)}`, isBad: true });
  expect(made).toMatchObject({
    type: 'message',
    attachments: [
      { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', version: '1.4' } },
    ],
  });
  const text = JSON.stringify(made);
  expect(text).not.toContain('"TextBlock"');
  expect(text).not.toContain('"entities"');
  expect(Buffer.byteLength(JSON.stringify(chat.teamsMessage(long)))).toBeLessThan(28 * 1024);
  const worst = { ...long, body: '漢'.repeat(20_000) };
  expect(Buffer.byteLength(JSON.stringify(chat.teamsMessage(worst)))).toBeLessThan(28 * 1024);
});

test.each([
  ['Slack', chat.explainSlack('no_service'), { why: 'no_service' }],
  ['Slack, a success', chat.explainSlack('ok'), { why: '' }],
  ['Discord', chat.explainDiscord('{"message":"Unknown Webhook","code":10015}'), { why: 'Unknown Webhook' }],
  [
    'Discord, a limit',
    chat.explainDiscord('{"message":"You are being rate limited.","retry_after":0.65,"global":false}'),
    { why: 'You are being rate limited.', retryMs: 650 },
  ],
  [
    'Telegram, a limit',
    chat.explainTelegram(
      '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 5","parameters":{"retry_after":5}}',
    ),
    { why: 'Too Many Requests: retry after 5', retryMs: 5_000 },
  ],
  [
    'an old connector of Teams',
    chat.explainTeams('Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 x'),
    { why: '', status: 429 },
  ],
  ['Teams, a success', chat.explainTeams(''), { why: '' }],
  ['a page of a proxy', chat.explainDiscord('<html>'), { why: '' }],
])('an answer of %s is understood', (_, said, expected) => {
  expect(said).toEqual(expected);
});

test('an e-mail has one header each, also for a subject with other characters, and its lines are short', () => {
  const text = 'grün ✓\n'.repeat(200);
  const subject = `fix "grün" answered ${'✓'.repeat(60)}`;
  const mail = mailOf({ id: 'mail-1-2', to: 'ann@example.org', subject, text, atMs: 0 });
  const [head = '', body = ''] = mail.split('\n\n');
  expect(mail.split('\n').every((line) => line.length <= 78)).toBe(true);
  expect(head.match(/^[\w-]+(?=:)/gm)).toEqual(
    'To Subject Date Message-ID Auto-Submitted MIME-Version Content-Type Content-Transfer-Encoding'.split(' '),
  );
  const words = [...head.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, word = '']) => Buffer.from(word, 'base64'));
  expect(Buffer.concat(words).toString()).toBe(subject);
  expect(Buffer.from(body, 'base64').toString()).toBe(text.replaceAll('\n', '\r\n'));
  expect(head).toContain('Date: Thu, 01 Jan 1970 00:00:00 +0000');
});

interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly { readonly text: { readonly type: string; readonly text: string } }[];
}
interface DiscordMessage {
  readonly allowed_mentions: object;
  readonly embeds: readonly { readonly title: string; readonly description?: string }[];
}
interface TelegramMessage {
  readonly text: string;
  readonly entities: readonly { readonly length: number }[];
}
