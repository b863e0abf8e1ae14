import { resolve } from 'node:path';
import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import type { ScheduleView } from '../api/contract-schedule.ts';
import { ROUTES } from '../api/routes.ts';
import { asData } from './data.ts';
import { imagesIn } from './images.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { oneLine } from './words.ts';

const START = CONTRACT['session.start'].input.shape;
const { name, prompt, images, model, thinking, drive, worktree, trust, policy, agentArgs, envNames } = START;
const { key, at, every, timezone, missed, overlap, until, count } = CONTRACT['schedule.create'].input.shape;
const ZONE = timezone
  .optional()
  .describe('The IANA name of the time zone of these times. Default: that of the server.');

/** `schedule_create`: starts an agent later. */
export const scheduleCreate = tool({
  name: 'schedule_create',
  title: 'Start an agent later',
  description: [
    'Starts a coding agent session at a later time, once (at) or repeatedly (every, a cron expression).',
    'Each session gets this prompt and ends when it has answered. Use session_start to start one now.',
    'Made inside an Outlast session, the schedule belongs to that session and ends with it.',
  ].join(' '),
  grants: ['prompt'],
  reserved: ['trust', 'policy', 'agentArgs', 'envNames'],
  operations: ['schedule.create'],
  input: {
    ...strictly({ key, at, every, missed, overlap, until, count }),
    timezone: ZONE,
    ...strictly({ name, images, model, thinking, drive, worktree, trust, policy, agentArgs, envNames }),
    prompt: prompt.unwrap().describe('The prompt.'),
    agent: z.string().max(63).default('').describe('Which agent, e.g. `claude`. Default: from the config.'),
    cwd: z.string().optional().describe('The folder it works in. Default: where the server was started.'),
  },
  async run({ key, at, every, timezone, missed, overlap, until, count, cwd, images, ...start }, call) {
    const folder = cwd === undefined ? call.cwd : resolve(call.cwd, cwd);
    const given = { ...present(start), ...imagesIn(folder, images), cwd: folder, keepOpen: false };
    const when = present({ key, at, every, timezone, missed, overlap, until, count });
    const { schedule, warnings } = await call.outlast.schedules.create(
      { ...when, by: 'mcp', start: given },
      call.signal,
    );
    const text = [...warnings.map((warning) => `Warning: ${warning}`), `Scheduled: ${lineOf(schedule)}`].join('\n');
    return { text, details: { schedule } };
  },
});

/** `schedule_list`: what is started later. */
export const scheduleList = tool({
  name: 'schedule_list',
  title: 'List schedules',
  description: 'Lists the schedules, with the next time of each; or shows one, with what happened to it.',
  grants: ['read'],
  operations: ['schedule.list', 'schedule.show'],
  input: {
    schedule: z.string().min(1).optional().describe('Only this one: id, name, or the first characters of an id.'),
  },
  async run({ schedule }, { outlast, signal }) {
    if (schedule !== undefined) {
      const shown = await outlast.schedules.show(schedule, undefined, signal);
      const events = shown.events.map(({ ts, event, body }) => `${ts} ${event} ${JSON.stringify(body)}`);
      const text = asData([lineOf(shown.schedule), ...events].join('\n'), 'a schedule');
      return { text, details: { ...shown } };
    }
    const schedules = await outlast.schedules.list(signal);
    if (schedules.length === 0) return { text: 'No schedules.', details: { schedules } };
    return { text: asData(schedules.map(lineOf).join('\n'), 'the schedules'), details: { schedules } };
  },
});

/** `schedule_change`: pauses, resumes or removes a schedule, or starts one of its sessions now. */
export const scheduleChange = tool({
  name: 'schedule_change',
  title: 'Change a schedule',
  description: [
    ROUTES['schedule.pause'].sentence,
    ROUTES['schedule.resume'].sentence,
    ROUTES['schedule.remove'].sentence,
    ROUTES['schedule.run'].sentence,
  ].join(' '),
  grants: ['prompt'],
  operations: ['schedule.pause', 'schedule.resume', 'schedule.remove', 'schedule.run'],
  input: {
    schedule: z.string().min(1).describe('Id, name, or the first characters of an id.'),
    action: z.enum(['pause', 'resume', 'remove', 'run-now']).describe('run-now: start one of its sessions now.'),
  },
  async run({ schedule: word, action }, { outlast: { schedules }, signal }) {
    if (action === 'remove') {
      await schedules.remove(word, signal);
      return { text: `Removed: ${oneLine(word)}.`, details: { schedule: null } };
    }
    const change = { pause: 'pause', resume: 'resume', 'run-now': 'run' } as const;
    const schedule = await schedules[change[action]](word, signal);
    const started = action === 'run-now' ? `Started session ${schedule.session}. ` : '';
    return { text: `${started}${lineOf(schedule)}`, details: { schedule } };
  },
});

function present<T extends object>(input: T): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}

function lineOf({ id, name, state, every, nextText, last, agent, text }: ScheduleView): string {
  const when = every === null ? 'once' : `every ${every}`;
  const result = last === null ? '' : `; last: ${last.how}${last.session === null ? '' : ` ${last.session}`}`;
  const what = oneLine(`${agent ?? 'command'}: ${text}`);
  return `${id}${name === null ? '' : ` (${name})`}: ${state}, ${when}, next ${nextText ?? 'none'}${result} [${what}]`;
}
