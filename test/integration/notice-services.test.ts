import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Route } from '../../src/daemon/config/schema.ts';
import { eventually } from '../eventually.ts';
import { type Ended, listen, notice, noticeWorld } from './notice-world.ts';

// Each service is played by a server that answers as its documentation says.

type World = ReturnType<typeof noticeWorld>;
const hostile: Ended = { spec: { name: 'fix', argv: ['echo', '@everyone'] }, output: '<!channel> @here *all*\n' };

function secretFile(world: World, text: string): string {
  const file = join(world.state, 'a-secret');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
}

const SERVICES: Readonly<Record<string, { path: string; route: (world: World, url: string) => Route }>> = {
  slack: { path: '/services/T/B/x', route: (world, url) => ({ kind: 'slack', urlFile: secretFile(world, url) }) },
  discord: {
    path: '/api/webhooks/1/x?wait=true',
    route: (world, url) => ({ kind: 'discord', urlFile: secretFile(world, url) }),
  },
  teams: { path: '/workflows/x?sig=y', route: (world, url) => ({ kind: 'teams', urlFile: secretFile(world, url) }) },
  telegram: {
    path: '/bot1:AA/sendMessage',
    route: (world, url) => ({
      kind: 'telegram',
      chat: '-100',
      tokenFile: secretFile(world, '1:AA'),
      url: new URL(url).origin,
    }),
  },
};

test.each(Object.entries(SERVICES))(
  'a message reaches %s at its address, as JSON that calls nobody',
  async (kind, it) => {
    await using world = noticeWorld();
    await using server = await listen();
    world.start(notice('chat', it.route(world, `${server.url}${it.path.replace('?wait=true', '')}`)));
    world.end(hostile);
    const { path, headers, body } = await eventually(() => server.received[0]);
    expect([path, headers['content-type']]).toEqual([it.path, 'application/json']);
    const made = JSON.parse(body);
    expect(JSON.stringify(made)).toContain('ended: exit 0');
    if (kind === 'slack') expect(made.text).not.toMatch(/[<>]/);
    if (kind === 'discord') expect(made.allowed_mentions).toEqual({ parse: [] });
    if (kind === 'telegram') expect(made.text).not.toMatch(/@\w/);
    if (kind === 'teams') expect(made.attachments).toHaveLength(1);
  },
);

test('a service that asks for a pause gets the next try after it', async () => {
  await using world = noticeWorld();
  const limited = JSON.stringify({ message: 'You are being rate limited.', retry_after: 4.5 });
  const answers = [{ status: 429, headers: { 'retry-after': '9' }, body: limited }, 503, 200];
  await using server = await listen((count) => answers[count - 1] ?? 200);
  const notices = world.start(notice('chat', { kind: 'discord', urlFile: secretFile(world, server.url) }));
  world.end(hostile);
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received).toHaveLength(3);
  // Discord says it more exactly in the body; then our own pause.
  expect([...world.waits, ...world.backoffs]).toEqual(expect.arrayContaining([4_500, 2_000]));
  expect(notices.status()[0]?.lastError).toMatch(/^127\.0\.0\.1:\d+ answered 503$/);
});

test('the header Retry-After counts, in seconds or as a date, and is bounded', async () => {
  await using world = noticeWorld();
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const later = 'Thu, 01 Jan 2026 00:00:07 GMT';
  const answers = [
    { status: 429, headers: { 'retry-after': '3' } },
    { status: 429, headers: { 'retry-after': later, date } },
    { status: 429, headers: { 'retry-after': '999999' } },
    200,
  ];
  await using server = await listen((count) => answers[count - 1] ?? 200);
  world.start(notice('chat', { kind: 'slack', urlFile: secretFile(world, server.url) }));
  world.end(hostile);
  const pauses = (): number[] => world.waits.filter((ms) => ms > 2_500 && ms < 9_999);
  await eventually(() => pauses().length >= 2, { msMax: 30_000 });
  await eventually(() => world.waits.includes(3_600_000), { msMax: 30_000 });
  expect(pauses()).toEqual([3_000, 7_000]);
});

test.each([
  ['slack', { status: 404, body: 'no_service' }, 'answered 404: no_service'],
  ['telegram', { status: 403, body: '{"ok":false,"description":"Forbidden: bot was blocked"}' }, 'Forbidden: bot'],
  ['discord', { status: 404, body: '{"message":"Unknown Webhook"}' }, 'answered 404: Unknown Webhook'],
  ['teams', { status: 400, body: '{"error":{"message":"bad\\u001b[2J card"}}' }, 'answered 400: bad [2J card'],
])('what %s refuses for good is given up at once, with its reason', async (kind, answer, why) => {
  await using world = noticeWorld();
  await using server = await listen(() => answer);
  const it = SERVICES[kind];
  const notices = world.start(notice('chat', it?.route(world, server.url) ?? { kind: 'desktop' }));
  world.end(hostile);
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(server.received).toHaveLength(1);
  expect(notices.status()[0]?.lastError).toContain(why);
});

test('a connector of Teams that answers 200 to a failure is not believed', async () => {
  await using world = noticeWorld();
  const body = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with …';
  await using server = await listen((count) => (count === 1 ? { status: 200, body } : { status: 200, body: '1' }));
  const notices = world.start(notice('chat', { kind: 'teams', urlFile: secretFile(world, server.url) }));
  world.end(hostile);
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received).toHaveLength(2);
});

test('an error never shows the address or the token, which are secrets', async () => {
  await using world = noticeWorld();
  await using server = await listen(() => 500);
  const urlFile = secretFile(world, 'not an address, but a token');
  const notices = world.start(
    notice('none', { kind: 'slack', urlFile: '/nonexistent/url' }, { triesMax: 1 }),
    notice('odd', { kind: 'discord', urlFile }, { triesMax: 1 }),
    notice('down', { kind: 'telegram', chat: '1', tokenFile: urlFile, url: server.url }, { triesMax: 1 }),
  );
  world.end(hostile);
  await eventually(() => notices.status().every(({ failed }) => failed === 1));
  const errors = notices.status().map(({ lastError }) => lastError);
  expect(errors[0]).toContain('cannot read /nonexistent/url');
  expect(errors[1]).toBe(`${urlFile} has no http:// or https:// address in it`);
  expect([...errors, ...world.lines].join()).not.toContain('a token');
});

test('an e-mail is given to the mail program, with its headers', async () => {
  await using world = noticeWorld();
  const [program, file] = [join(world.state, 'sendmail'), join(world.state, 'mail')];
  writeFileSync(program, `#!/bin/sh\n{ echo "$@"; cat; } > ${file}.new && mv ${file}.new ${file}\n`);
  chmodSync(program, 0o755);
  const from = 'outlast@example.org';
  const command = [program, '-i', '-t'] as const;
  world.start(notice('mail', { kind: 'email', to: 'ann@example.org', from, command }));
  const id = world.end({ ...hostile, spec: { argv: ['echo', 'Subject: x\r\nBcc: eve@example.org'] } });
  await eventually(() => existsSync(file));
  const [args, ...lines] = readFileSync(file, 'utf8').split('\n');
  const [head = '', body = ''] = lines.join('\n').split('\n\n');
  expect(args).toBe('-i -t');
  expect(head).toMatch(/^From: Outlast <outlast@example\.org>\nTo: ann@example\.org\nSubject: /);
  expect(head).not.toMatch(/^Bcc/m);
  expect(Buffer.from(body, 'base64').toString()).toContain(`outlast output ${id}`);
  expect(statSync(file).size).toBeLessThan(5_000);
});
