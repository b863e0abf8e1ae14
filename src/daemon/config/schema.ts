import * as z from 'zod';
import { LIMITS } from '../../base/limits.ts';
import { parseRules } from '../../core/rules/grammar.ts';
import { configAgents } from './agents.ts';
import { configBoot } from './boot.ts';
import { configBackup, configRetention } from './kept.ts';
import { checkModels, configModels } from './models.ts';
import { configAnnounce, configNotices } from './notices.ts';
import { configOtel } from './otel.ts';
import { configPolicy } from './policy.ts';
import { configQuietHours } from './quiet-hours.ts';
import { configSearch } from './search.ts';
import { configSpawn } from './spawn.ts';

export type { Route } from './notices.ts';

// Every key of the config, with its default, its description and when a change of it applies. docs/config.md is
// generated from this file. `applies` is for new sessions and calls: it never changes what a running session was given.
//   at once     with `outlast config reload`: the code reads the key from the config whenever it needs it
//   next start  the daemon has built something from it

const count = z.number().int();
const file = z.string().regex(/^(\/|~\/)/, 'must be a path that begins with / or ~/');

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
    state: file
      .describe('The state folder. Not in the file. Default: `$XDG_STATE_HOME/outlast`, else `~/.local/state/outlast`.')
      .meta({ applies: 'next start' }),
    runsMax: count
      .min(1)
      .max(100_000)
      .default(LIMITS.runsMax)
      .describe('Runs at once on this host.')
      .meta({ applies: 'at once' }),
    outputBytesMax: count
      .min(65_536)
      .default(LIMITS.outputBytesMax)
      .describe('Cap of the output of one run.')
      .meta({ applies: 'at once' }),
    memoryCap: z
      .enum(['auto', 'watch'])
      .default('auto')
      .describe('What enforces the memory limit of a run: the kernel if possible, or only our own check every 5 s.')
      .meta({ applies: 'next start' }),
    graceMs: count
      .min(0)
      .max(600_000)
      .default(LIMITS.graceMs)
      .describe('Grace period between TERM and KILL.')
      .meta({ applies: 'at once' }),
    shell: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The shell for command lines: `SHELL -c LINE`. Default: the `$SHELL` of the caller; for fish, bash or sh.',
      )
      .meta({ applies: 'at once' }),
    agent: z
      .string()
      .max(63)
      .default('')
      .describe('The default agent. Empty: `claude`, or the only agent on the PATH of the caller.')
      .meta({ applies: 'at once' }),
    agents: configAgents
      .default({})
      .describe('Agents in addition to the built-in ones: `{ NAME: { … } }`; see [An agent](#an-agent).')
      .meta({ applies: 'next start' }),
    models: configModels
      .default({})
      .describe(
        'Short names of models, in addition to the built-in ones: `{ AGENT: { NAME: ID } }`. ' +
          'A `NAME: ID` outside of an agent applies to the default agent.',
      )
      .meta({ applies: 'at once' }),
    pathPrepend: z
      .array(file)
      .max(100)
      .default([])
      .describe('Folders to prepend to the PATH of every command.')
      .meta({ applies: 'at once' }),
    policy: configPolicy.prefault({}).describe('Default limits of agent sessions.').meta({ applies: 'at once' }),
    gate: z
      .enum(['off', 'watch', 'gate'])
      .default('off')
      .describe('Default gate. off: no approval. watch: calls can be denied in time. gate: calls must be approved.')
      .meta({ applies: 'at once' }),
    rules: ruleLists
      .prefault({})
      .describe('Rules for tool calls; see docs/guides/rules.md.')
      .meta({ applies: 'at once' }),
    spawn: configSpawn.prefault({}).describe('Limits for sessions that start sessions.').meta({ applies: 'at once' }),
    boot: configBoot.prefault({}).describe('Conversations not started with Outlast.').meta({ applies: 'at once' }),
    search: configSearch.prefault({}).describe('The search in conversations.').meta({ applies: 'next start' }),
    retention: configRetention.prefault({}).describe('When ended sessions are removed.').meta({ applies: 'at once' }),
    backup: configBackup
      .prefault({})
      .describe('Backups of the journal, in `backups` in the state folder.')
      .meta({ applies: 'at once' }),
    notices: configNotices.describe('Notices to send.').meta({ applies: 'at once' }),
    announce: configAnnounce
      .prefault({})
      .describe('How people are notified if the config has no notice.')
      .meta({ applies: 'next start' }),
    otel: configOtel.prefault({}).describe('What is sent to OpenTelemetry.').meta({ applies: 'at once' }),
    quietHours: configQuietHours.optional().describe('When messages to people wait.').meta({ applies: 'at once' }),
  })
  .superRefine(checkModels);

/** All settings: checked and complete. In a daemon each key changes with a reload, if it applies at once. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;
/** One notice: its events and its route. */
export type NoticeConfig = Config['notices'][number];
/** One layer of unchecked settings: each key may be missing. */
export type ConfigInput = Partial<z.input<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
