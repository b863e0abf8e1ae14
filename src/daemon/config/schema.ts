import * as z from 'zod';
import { LIMITS } from '../../base/limits.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { parseRules } from '../../core/rules/grammar.ts';
import { configAgents } from './agents.ts';
import { configBoot } from './boot.ts';
import { configBackup, configRetention } from './kept.ts';
import { checkModels, configModels } from './models.ts';
import { configPolicy } from './policy.ts';
import { configSpawn } from './spawn.ts';

// Every key of the config, with its default and its description. docs/config.md is generated from this file.

const count = z.number().int();
const file = z.string().regex(/^(\/|~\/)/, 'must be a path that begins with / or ~/');
const url = z.string().refine(isPlainUrl, 'must be an http:// or https:// address without a user or password in it');
const topic = z.string().regex(/^[\w-]{1,64}$/, 'must be letters, digits, _ and -, at most 64');
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');
const headerValue = z.string().regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII on one line');

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

const command = z.tuple([z.string().min(1)], z.string());

/** One notice, as in the config file. */
const notice = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be a-z, 0-9 and -, at most 63 characters')
      .describe('A unique name. The delivery state is stored under it.'),
    on: z
      .array(z.enum(['ended', 'failed', 'answered', 'held', 'boot', ...EVENT_TYPES]))
      .min(1)
      .default(['ended'])
      .describe(
        'When it is sent: `ended`, `failed`, `answered`, `held`, `boot`, or names of events as in docs/events.md.',
      ),
    command: command.optional().describe('A command and its arguments; it gets the text on its standard input.'),
    webhook: webhook.optional().describe('A URL that accepts JSON.'),
    desktop: z.literal(true).optional().describe('A notification on the desktop of this machine.'),
    ntfy: ntfy.optional().describe('A push message through ntfy.'),
    triesMax: count.min(1).max(100).default(8).describe('How often one delivery is tried.'),
    timeoutMs: count.min(100).max(600_000).default(10_000).describe('Timeout of one try.'),
  })
  .transform(({ command, webhook, desktop, ntfy, ...rest }, context) => {
    const routes: Route[] = [];
    if (command) routes.push({ kind: 'command', argv: command });
    if (webhook) routes.push({ kind: 'webhook', ...webhook });
    if (desktop) routes.push({ kind: 'desktop' });
    if (ntfy) routes.push({ kind: 'ntfy', ...ntfy });
    const [route] = routes;
    if (route && routes.length === 1) return { ...rest, on: rest.on.map(eventNamed), route };
    context.addIssue(`has ${routes.length} of command, webhook, desktop and ntfy; exactly one is allowed`);
    return z.NEVER;
  });

/** Expands the short names of two common events. */
function eventNamed<W extends string>(word: W): Exclude<W, 'answered' | 'held'> | 'prompt.answered' | 'session.held' {
  if (word === 'answered') return 'prompt.answered';
  return word === 'held' ? 'session.held' : (word as Exclude<W, 'answered' | 'held'>);
}

const ruleLists = z
  .strictObject({
    allow: z.array(z.string()).default([]).describe('Calls that are allowed.'),
    ask: z.array(z.string()).default([]).describe('Calls that need approval.'),
    deny: z.array(z.string()).default([]).describe('Calls that are denied.'),
  })
  .superRefine((lists, context) => {
    for (const fault of parseRules(lists).faults) context.addIssue(fault);
  });

/** All settings. */
export const configSchema = z
  .strictObject({
    state: file.describe(
      'The state folder. Not in the file. Default: `$XDG_STATE_HOME/outlast`, else `~/.local/state/outlast`.',
    ),
    runsMax: count.min(1).max(100_000).default(LIMITS.runsMax).describe('Runs at once on this host.'),
    outputBytesMax: count.min(65_536).default(LIMITS.outputBytesMax).describe('Cap of the output of one run.'),
    memoryCap: z
      .enum(['auto', 'watch'])
      .default('auto')
      .describe('What enforces the memory limit of a run: the kernel if possible, or only our own check every 5 s.'),
    graceMs: count.min(0).max(600_000).default(LIMITS.graceMs).describe('Grace period between TERM and KILL.'),
    shell: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The shell for command lines: `SHELL -c LINE`. Default: the `$SHELL` of the caller; for fish, bash or sh.',
      ),
    agent: z
      .string()
      .max(63)
      .default('')
      .describe('The default agent. Empty: `claude`, or the only agent on the PATH of the caller.'),
    agents: configAgents
      .default({})
      .describe('Agents in addition to the built-in ones: `{ NAME: { … } }`; see [An agent](#an-agent).'),
    models: configModels
      .default({})
      .describe(
        'Short names of models, in addition to the built-in ones: `{ AGENT: { NAME: ID } }`. ' +
          'A `NAME: ID` outside of an agent is one of the default agent.',
      ),
    pathPrepend: z.array(file).max(100).default([]).describe('Folders to prepend to the PATH of every command.'),
    policy: configPolicy.prefault({}).describe('Default limits of agent sessions.'),
    gate: z
      .enum(['off', 'watch', 'gate'])
      .default('off')
      .describe('Default gate. off: no approval. watch: calls can be denied in time. gate: calls must be approved.'),
    rules: ruleLists.prefault({}).describe('Rules for tool calls; see docs/guides/rules.md.'),
    spawn: configSpawn.prefault({}).describe('Limits for sessions that start sessions.'),
    boot: configBoot.prefault({}).describe('Conversations not started with Outlast.'),
    retention: configRetention.prefault({}).describe('When ended sessions are removed.'),
    backup: configBackup.prefault({}).describe('Backups of the journal, in `backups` in the state folder.'),
    notices: z
      .array(notice)
      .max(100)
      .refine((all) => new Set(all.map((one) => one.name)).size === all.length, 'two notices have the same name')
      .default([])
      .describe('Notices to send.'),
  })
  .superRefine(checkModels);

/** How a notice is delivered. */
export type Route =
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] }
  | ({ readonly kind: 'webhook' } & z.output<typeof webhook>)
  | { readonly kind: 'desktop' }
  | ({ readonly kind: 'ntfy' } & z.output<typeof ntfy>);

/** All settings: checked, complete, and constant until the daemon ends. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;
/** One notice: its events and its route. */
export type NoticeConfig = Config['notices'][number];
/** One layer of unchecked settings: each key may be missing. */
export type ConfigInput = Partial<z.input<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

function isPlainUrl(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && /^https?:$/.test(address.protocol) && address.username === '' && address.password === '';
}

function isInlineSecret([name, value]: [string, unknown]): boolean {
  return typeof value === 'string' && /^(proxy-)?authorization$|^cookie$|token|secret|api-?key/i.test(name);
}
