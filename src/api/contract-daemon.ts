import * as z from 'zod';
import { yes } from './contract-words.ts';
import { operation } from './later.ts';
import { away, check, place } from './shapes.ts';
import { caller } from './spawn-shape.ts';

const agentSupport = z.object({
  name: z.string(),
  started: z.boolean().describe('Outlast can start it. Otherwise it can only read its conversations.'),
  wrong: z.string().nullable().optional().describe('What is wrong with its entry in the config; null: nothing.'),
  installed: z
    .object({
      path: z.string(),
      version: z.string().nullable().describe('Null: it does not say.'),
      known: z
        .enum(['tested', 'untested', 'too-old', 'unknown'])
        .describe('Whether this version was tested. A newer one mostly works as well.'),
    })
    .nullable()
    .describe('Null: it is not on the PATH.'),
  tested: z
    .array(z.string())
    .describe('The versions that were tested, oldest first; none: it is part of Outlast, or in the config.'),
  oldest: z.string().describe('The oldest version that is accepted.'),
  install: z.string().describe('How to install it.'),
  capabilities: z.array(
    z.object({
      name: z.string(),
      about: z.string(),
      works: z.boolean(),
      only: z.string().nullable().describe('The only way of running the agent in which it works; null: in all.'),
      why: z.string().nullable().describe('Why it does not; null: it does.'),
    }),
  ),
});

const limitView = z.object({
  agent: z.string(),
  account: z.string().describe('Identifies the account: a short hash of where the login is and what replaces it.'),
  home: z.string().nullable().describe('The folder with the login; null: the agent names none.'),
  window: z
    .string()
    .describe(
      'five_hour, seven_day or the word of the agent; met: a session waits for it, and which one was not said.',
    ),
  usedPercent: z.number().nullable().describe('Null: not reported.'),
  resetsAtMs: z.number().nullable().describe('When it begins again, wall time; null: not reported.'),
  seenAtMs: z.number().describe('When it was reported, wall time. It may have changed since: nothing asks for it.'),
  session: z.string().describe('The session that saw it.'),
  name: z.string().nullable().describe('The name of that session.'),
});

const configState = () =>
  z.object({
    file: z.string().describe('The config file that it reads.'),
    readAtMs: z.number().describe('When the settings in use were read, wall time.'),
    fault: z.string().nullable().describe('Why the file cannot be used now; null: it can.'),
    unread: z.array(z.string()).describe('Keys that config.reload would change.'),
    waiting: z.array(z.string()).describe('Keys that change when the daemon starts again.'),
  });

// The operations on the daemon itself, and on what it knows about agents.

export const DAEMON = {
  'agent.list': operation(
    () => z.object({ path: z.string().default('').describe('Where the caller finds programs.') }),
    () => z.object({ agents: z.array(agentSupport) }),
  ),
  'config.show': operation(
    () => z.object({ key: z.string().default('').describe('A key, or the beginning of keys. Default: all.') }),
    () =>
      configState().extend({
        keys: z.array(
          z.object({
            key: z.string(),
            value: z.unknown(),
            from: z.enum(['default', 'file', 'variable', 'flag']).describe('Where the value comes from.'),
            variable: z.string().nullable().describe('The variable that sets it; null: it comes from elsewhere.'),
            applies: z.enum(['at once', 'next start']).describe('When a change of it applies.'),
          }),
        ),
      }),
  ),
  'config.reload': operation(
    () => z.object({ caller: caller.optional() }),
    () => configState().extend({ changed: z.array(z.string()).describe('Keys that have changed now.') }),
  ),
  'limit.list': operation(
    () => z.object({}),
    () => z.object({ limits: z.array(limitView).describe('By agent and account; limits that are over are left out.') }),
  ),
  'daemon.status': operation(
    () => z.object({}),
    () =>
      z.object({
        version: z.string(),
        pid: z.number(),
        state: z.string(),
        startedAtMs: z.number(),
        live: z.number(),
        sessions: z.number(),
        ...place,
        journal: z.string().describe('The id of the journal.'),
        rssBytes: z.number(),
        away: away().nullable().describe('The last sleep or restart of the machine that was detected.'),
        interrupted: z
          .string()
          .nullable()
          .describe('Conversations that a boot or a sleep interrupted and that were not resumed yet, in one line.'),
        config: configState()
          .optional()
          .describe('How the settings in use differ from the config file; missing: an older daemon.'),
        otel: z
          .object({
            endpoint: z.string().describe('The host that it is sent to.'),
            behind: z.number().describe('Events of which the spans are not sent yet.'),
            sent: z.number().describe('Spans since the daemon started.'),
            dropped: z.number().describe('Spans that were given up since then.'),
            lastError: z.string().nullable().describe('Why the last try failed; null: it did not.'),
          })
          .nullable()
          .optional()
          .describe('How sending to OpenTelemetry goes; null: the config has no endpoint.'),
        notices: z.array(
          z.object({ name: z.string(), behind: z.number(), failed: z.number(), lastError: z.string().nullable() }),
        ),
      }),
  ),
  'daemon.caller': operation(
    () => z.object({ caller }),
    () =>
      z.object({
        sessions: z.array(z.object({ id: z.string(), name: z.string() })).describe('None: it runs in no session.'),
      }),
  ),
  'daemon.stop': operation(
    () =>
      z.object({
        planned: yes.default(false).describe('Planned shutdown: do not count lost sessions as crashes.'),
        caller: caller.optional(),
      }),
    () => z.object({ live: z.number() }),
  ),
  'daemon.wake': operation(
    () => z.object({}),
    () => away().extend({ new: z.boolean().describe('It was not known before.') }),
  ),
  'daemon.doctor': operation(
    () => z.object({ path: z.string().default('').describe('The PATH of the caller.') }),
    () => z.object({ checks: z.array(check()) }),
  ),
} as const;
