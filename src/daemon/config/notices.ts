import * as z from 'zod';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { eventNamed } from './quiet-hours.ts';

// The keys of a notice: what is told, how and to whom.

const count = z.number().int();
/** A file that has a secret. */
export const secretFile = z.string().regex(/^(\/|~\/)/, 'must be a path that begins with / or ~/');
/** An address that is no secret. */
export const plainUrl = z
  .string()
  .refine(isPlainUrl, 'must be an http:// or https:// address without a user or password in it');
const url = plainUrl;
const topic = z.string().regex(/^[\w-]{1,64}$/, 'must be letters, digits, _ and -, at most 64');
const file = secretFile;
export const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');
export const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII on one line');
const mailAddress = z.string().regex(/^[\x21-\x7e]{1,64}@[\w.-]{1,255}$/, 'must be an address such as ann@example.org');
const command = z.tuple([z.string().min(1)], z.string());

const webhook = z.strictObject({
  url: url.describe('Where the notices are posted as JSON.'),
  secretFile: file.optional().describe('A file with the secret that signs each body (x-outlast-signature).'),
  headers: z
    .record(headerName, z.union([headerValue, z.strictObject({ file })]))
    .refine((headers) => !Object.entries(headers).some(isInlineSecret), 'a secret belongs in a file: { "file": PATH }')
    .optional()
    .describe('Additional headers: a text, or { "file": PATH } for a secret.'),
});

const ntfy = z.strictObject({
  url: url.describe('The ntfy server.'),
  topic: topic.describe('The topic to publish to.'),
  tokenFile: file.optional().describe('A file with the access token.'),
});

/** A service whose webhook address is itself the secret. */
const hook = (service: string) =>
  z.strictObject({ urlFile: file.describe(`A file with the address of the ${service} webhook. It is a secret.`) });

const telegram = z.strictObject({
  chat: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{1,64})$/, 'must be the id of a chat, or @ and the name of a channel')
    .describe('The id of the chat, or `@` and the name of a channel.'),
  tokenFile: file.describe('A file with the token of the bot.'),
  url: url.default('https://api.telegram.org').describe('The server of the Bot API.'),
});

const email = z.strictObject({
  to: mailAddress.describe('The address of the reader.'),
  from: mailAddress.optional().describe('The address of the sender. Default: the mail program chooses it.'),
  command: command
    .default(['sendmail', '-i', '-t'])
    .describe('A mail program that reads a message with its headers on standard input, as sendmail and msmtp do.'),
});

const WORDS = ['announced', 'ended', 'failed', 'answered', 'asked', 'held', 'boot', 'schedule', 'device'] as const;

/** One notice, as in the config file. */
export const configNotice = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be a-z, 0-9 and -, at most 63 characters')
      .describe('A unique name. The delivery state is stored under it.'),
    on: z
      .array(z.enum([...WORDS, ...EVENT_TYPES]))
      .min(1)
      .default(['ended'])
      .describe(
        'When it is sent: `announced`, `ended`, `failed`, `answered`, `asked`, `held`, `boot`, `schedule`, ' +
          '`device` (a browser signed in to the web page), ' +
          'or names of events as in docs/events.md.',
      ),
    command: command.optional().describe('A command and its arguments; it gets the text on its standard input.'),
    webhook: webhook.optional().describe('A URL that accepts JSON.'),
    desktop: z.literal(true).optional().describe('A notification on the desktop of this machine.'),
    ntfy: ntfy.optional().describe('A push message through ntfy.'),
    slack: hook('Slack').optional().describe('A message in Slack, by an incoming webhook.'),
    discord: hook('Discord').optional().describe('A message in Discord, by a webhook.'),
    teams: hook('Teams').optional().describe('A message in Microsoft Teams, by a webhook of Workflows.'),
    telegram: telegram.optional().describe('A message in Telegram, by a bot.'),
    email: email.optional().describe('An e-mail.'),
    triesMax: count.min(1).max(100).default(8).describe('How often one delivery is tried.'),
    timeoutMs: count.min(100).max(600_000).default(10_000).describe('Timeout of one try.'),
    gapMs: count
      .min(0)
      .max(86_400_000)
      .optional()
      .describe('The least time between two messages. Default: 5000, and 0 for `command` and `webhook`.'),
    quiet: z
      .boolean()
      .optional()
      .describe('Whether it keeps `quietHours`. Default: true, and false for `command` and `webhook`.'),
  })
  .transform(({ command, webhook, desktop, ntfy, slack, discord, teams, telegram, email, ...rest }, context) => {
    const routes: Route[] = [];
    if (command) routes.push({ kind: 'command', argv: command });
    if (webhook) routes.push({ kind: 'webhook', ...webhook });
    if (desktop) routes.push({ kind: 'desktop' });
    if (ntfy) routes.push({ kind: 'ntfy', ...ntfy });
    if (slack) routes.push({ kind: 'slack', ...slack });
    if (discord) routes.push({ kind: 'discord', ...discord });
    if (teams) routes.push({ kind: 'teams', ...teams });
    if (telegram) routes.push({ kind: 'telegram', ...telegram });
    if (email) routes.push({ kind: 'email', ...email });
    const [route] = routes;
    if (route && routes.length === 1) return { ...rest, ...mannersOf(route, rest), on: rest.on.map(eventNamed), route };
    context.addIssue(`has ${routes.length} of ${ROUTE_KINDS.join(', ')}; exactly one is allowed`);
    return z.NEVER;
  });

/** How people are told without a notice in the config. */
export const configAnnounce = z.strictObject({
  shell: z
    .enum(['on', 'off'])
    .default('on')
    .describe('A line at the next prompt of the shell that started a session; needs `outlast shell-init`.'),
  desktop: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('A notification on the desktop of this machine. auto: if it has one, and `notices` is empty.'),
});

/** The notices of a config. */
export const configNotices = z
  .array(configNotice)
  .max(100)
  .refine((all) => new Set(all.map((one) => one.name)).size === all.length, 'two notices have the same name')
  .default([]);

type Argv = readonly [string, ...string[]];

/** How a notice is delivered. */
export type Route =
  | { readonly kind: 'command'; readonly argv: Argv }
  | ({ readonly kind: 'webhook' } & z.output<typeof webhook>)
  | { readonly kind: 'desktop' }
  | ({ readonly kind: 'ntfy' } & z.output<typeof ntfy>)
  | { readonly kind: 'slack' | 'discord' | 'teams'; readonly urlFile: string }
  | ({ readonly kind: 'telegram' } & z.output<typeof telegram>)
  | ({ readonly kind: 'email' } & Pick<z.output<typeof email>, 'to' | 'from'> & { readonly command: Argv });

/** The kinds of routes, which are also their keys in the config. */
export const ROUTE_KINDS = [
  'command',
  'webhook',
  'desktop',
  'ntfy',
  'slack',
  'discord',
  'teams',
  'telegram',
  'email',
] as const satisfies readonly Route['kind'][];

/** What happens within this time of a message is told in the next one. */
const PERSON_GAP_MS = 5_000;

/** Messages to people leave a pause and keep the quiet hours, unless the config says otherwise. */
function mannersOf(
  { kind }: Route,
  { gapMs, quiet }: { gapMs?: number | undefined; quiet?: boolean | undefined },
): { gapMs: number; quiet: boolean } {
  const isProgram = kind === 'command' || kind === 'webhook';
  return { gapMs: gapMs ?? (isProgram ? 0 : PERSON_GAP_MS), quiet: quiet ?? !isProgram };
}

function isPlainUrl(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && /^https?:$/.test(address.protocol) && address.username === '' && address.password === '';
}

/** Is a secret in the config itself? */
export function isInlineSecret([name, value]: [string, unknown]): boolean {
  return typeof value === 'string' && /^(proxy-)?authorization$|^cookie$|token|secret|api-?key/i.test(name);
}
