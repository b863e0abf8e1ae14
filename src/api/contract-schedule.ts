import * as z from 'zod';
import { count } from './contract-words.ts';
import { later, operation } from './later.ts';
import { caller } from './spawn-shape.ts';
import { startInput } from './start-shape.ts';

/** A schedule, as it is shown. */
export const schedule = later(() =>
  z.object({
    id: z.string().describe('Its full id.'),
    name: z.string().nullable().describe('Its name, which its sessions get too.'),
    state: z
      .enum(['active', 'paused', 'ended'])
      .describe('ended: no planned time is left. It is removed a week later.'),
    at: z.number().nullable().describe('When it starts its one session; null: it repeats.'),
    every: z.string().nullable().describe('The cron expression; null: it starts one session.'),
    timezone: z.string().describe('The IANA name of the time zone of its times.'),
    nextAtMs: z.number().nullable().describe('The next planned time; null: none.'),
    nextText: z.string().nullable().describe('The same for people, in its time zone.'),
    missed: z.enum(['run', 'skip']),
    overlap: z.enum(['skip', 'queue', 'start']),
    untilMs: z.number().nullable().describe('No session is started after this; null: no end.'),
    count: z.number().nullable().describe('It ends after this many sessions; null: no limit.'),
    starts: z.number().describe('How many sessions it has started.'),
    session: z.string().nullable().describe('The last session that it started.'),
    waiting: z.boolean().describe('A session is started as soon as the last one is done.'),
    last: z
      .object({
        plannedAtMs: z.number(),
        atMs: z.number().describe('When that was recorded.'),
        how: z.enum(['started', 'failed', 'skipped', 'missed']),
        session: z.string().nullable(),
        why: z.string().nullable().describe('Why it failed.'),
      })
      .nullable()
      .describe('The result of the last planned time.'),
    agent: z.string().nullable().describe('The agent that it starts; null: it runs a command.'),
    text: z.string().describe('The beginning of the prompt, or the command line.'),
    workspace: z.string(),
    owner: z.string().nullable().describe('The session that made it; null: a person or program did.'),
    createdAtMs: z.number(),
    by: z.string().describe('Who made it.'),
  }),
);

const which = z.object({
  schedule: z
    .string()
    .min(1, 'give the id or the name of a schedule')
    .describe('Id, name, or the first characters of an id.'),
});
const ours = which.extend({ by: z.string().max(63).default('caller'), caller: caller.optional() });
const one = later(() => z.object({ schedule: schedule() }));

/** Input and output of the operations about schedules. */
export const SCHEDULE = {
  'schedule.create': operation(
    () =>
      z.object({
        key: z.string().max(80).optional().describe('Idempotency key: a repeated key is the same schedule.'),
        start: startInput().describe('What is started, as for session.start.'),
        at: z
          .string()
          .max(100)
          .optional()
          .describe('When, once: `18:30`, `tomorrow 9:00`, an ISO time, or `+2h`. Either this or `every`.'),
        every: z
          .string()
          .max(200)
          .optional()
          .describe('When, again and again: a cron expression with five fields, e.g. `0 9 * * 1-5`.'),
        timezone: z.string().min(1).max(100).describe('The IANA name of the time zone of these times.'),
        missed: z
          .enum(['run', 'skip'])
          .default('run')
          .describe(
            'When planned times passed without a daemon. run: start one session for all of them. skip: start none.',
          ),
        overlap: z
          .enum(['skip', 'queue', 'start'])
          .default('skip')
          .describe(
            'When the last session still works. skip: no session. queue: one when it is done. start: one beside it.',
          ),
        until: z.string().max(100).optional().describe('No session is started after this time. As for `at`.'),
        count: z.number().int().min(1).max(1_000_000).optional().describe('End after this many sessions.'),
        by: z.string().max(63).default('caller'),
        caller: caller.optional(),
      }),
    () => one().extend({ warnings: z.array(z.string()) }),
  ),
  'schedule.list': operation(
    () => z.object({}),
    () => z.object({ schedules: z.array(schedule()) }),
  ),
  'schedule.show': operation(
    () => which.extend({ limit: count.min(1).max(200).default(20).describe('How many of its events, newest last.') }),
    () =>
      one().extend({
        following: z.array(z.string()).describe('Its next planned times for people, in its time zone.'),
        events: z
          .array(
            z.object({
              seq: z.number(),
              ts: z.string().describe('When, as ISO 8601.'),
              event: z.string().describe('Its type, e.g. `schedule.started`.'),
              body: z.record(z.string(), z.unknown()),
            }),
          )
          .describe('What happened to it.'),
      }),
  ),
  'schedule.pause': operation(() => ours, one),
  'schedule.resume': operation(() => ours, one),
  'schedule.run': operation(() => ours, one),
  'schedule.remove': operation(
    () => ours,
    () => z.object({ id: z.string() }),
  ),
} as const;

export type ScheduleView = z.infer<ReturnType<typeof schedule>>;
