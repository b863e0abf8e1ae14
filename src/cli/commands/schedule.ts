import type { Outlast, ScheduleView } from '../../client/index.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { NO_STARTER } from '../flow/scheduled.ts';
import { installedStarter } from '../service/installed.ts';
import { tableOf } from '../views/view.ts';
import { narrowed } from './list.ts';

const ONE_SCHEDULE = {
  min: 1,
  max: 1,
  are: 'SCHEDULE is the name of a schedule, its id, or the first characters of the id.',
} as const;

/** Columns that a narrow terminal leaves out, in this order. */
const DISPENSABLE = ['LAST', 'WHEN'];

const STARTERS = {
  systemd: 'systemd starts the daemon at boot.',
  launchd: 'launchd starts the daemon at boot.',
  cron: 'cron starts the daemon at boot.',
} as const;

/** `outlast schedule list` */
export const scheduleList = command({
  name: 'schedule list',
  summary: 'List schedules, with the next time of each.',
  usage: 'schedule list [OPTIONS]',
  words: NO_WORDS,
  options: {},
  examples: [
    ['outlast schedule list', 'What starts when, and the last result of each.'],
    ['outlast schedule list --json | jq -r ".schedules[].id"', 'For a script.'],
  ],
  async run({ json, print, env, clock, connect }) {
    const schedules = await connect().schedules.list();
    const starter = installedStarter(env);
    if (json) await print.json({ schedules, starter });
    else if (schedules.length === 0)
      await print.line(
        'No schedules. Make one: outlast start --every "0 9 * * 1-5" "…", or outlast exec --at 18:30 -- COMMAND',
      );
    else {
      const rows = schedules.map((each) => rowOf(each, clock.wallMs()));
      const { columns } = print.stdout;
      const table = narrowed([['SCHEDULE', 'STATE', 'NEXT', 'WHEN', 'LAST', 'STARTS'], ...rows], columns, DISPENSABLE);
      const [head = '', ...lines] = tableOf(table, columns);
      await print.line([print.style('bold', head), ...lines].join('\n'));
      await print.note(starter === null ? NO_STARTER : STARTERS[starter]);
    }
    return EXIT.fine;
  },
});

/** `outlast schedule show` */
export const scheduleShow = command({
  name: 'schedule show',
  summary: 'Show a schedule, its next times and what happened to it.',
  usage: 'schedule show SCHEDULE [OPTIONS]',
  words: ONE_SCHEDULE,
  options: { limit: { type: 'string', value: 'N', sentence: 'Show its last N events.', otherwise: '20' } },
  examples: [['outlast schedule show nightly', 'Every start, failure and missed time.']],
  async run({ words: [word = ''], values, json, print, clock, connect }) {
    const shown = await connect().schedules.show(word, countOf('--limit', values.limit));
    if (json) return print.json(shown).then(() => EXIT.fine);
    const { schedule, following, events } = shown;
    const rows = [
      ['id', schedule.id],
      ['name', schedule.name ?? '-'],
      ['state', stateText(schedule)],
      ['when', whenText(schedule)],
      ['time zone', schedule.timezone],
      ...following.map((time, i) => [i === 0 ? 'next' : '', time]),
      ['starts', oneLine(`${schedule.agent ?? 'command'}: ${schedule.text}`)],
      ['folder', oneLine(schedule.workspace)],
      ['missed', schedule.missed],
      ...(schedule.every === null ? [] : [['overlap', schedule.overlap]]),
      ...(schedule.untilMs === null ? [] : [['until', new Date(schedule.untilMs).toISOString()]]),
      ['started', `${schedule.starts}${schedule.count === null ? '' : ` of ${schedule.count}`}`],
      ...(schedule.session === null ? [] : [['last session', schedule.session]]),
      ...(schedule.owner === null ? [] : [['owner', schedule.owner]]),
      ['made', `${durationText(clock.wallMs() - schedule.createdAtMs)} ago by ${oneLine(schedule.by)}`],
      ...events.map(({ ts, event, body }) => ['event', `${ts}  ${oneLine(eventText(event, body))}`]),
    ];
    await print.line(tableOf(rows, Number.POSITIVE_INFINITY).join('\n'));
    return EXIT.fine;
  },
});

/** `outlast schedule pause` */
export const schedulePause = changing(
  'pause',
  'Pause a schedule.',
  'It starts nothing until it is resumed.',
  (outlast, word) => outlast.schedules.pause(word),
);

/** `outlast schedule resume` */
export const scheduleResume = changing(
  'resume',
  'Resume a paused schedule.',
  'It continues at its next time; times that passed while it was paused do not count as missed.',
  (outlast, word) => outlast.schedules.resume(word),
);

/** `outlast schedule run-now` */
export const scheduleRun = changing(
  'run-now',
  'Start a session of a schedule now.',
  'Its planned times do not change. A paused or ended schedule can be run too.',
  (outlast, word) => outlast.schedules.run(word),
);

/** `outlast schedule remove` */
export const scheduleRemove = command({
  name: 'schedule remove',
  summary: 'Remove a schedule.',
  usage: 'schedule remove SCHEDULE [OPTIONS]',
  words: { ...ONE_SCHEDULE, are: `${ONE_SCHEDULE.are}\nSessions that it started are kept.` },
  options: {},
  examples: [['outlast schedule remove nightly', 'Nothing more is started.']],
  async run({ words: [word = ''], json, print, connect }) {
    const { schedules } = connect();
    const { schedule } = await schedules.show(word, 1);
    await schedules.remove(schedule.id);
    if (json) await print.json({ id: schedule.id, name: schedule.name });
    else await print.line(`Removed: ${nameOf(schedule)}`);
    return EXIT.fine;
  },
});

function changing(
  word: string,
  summary: string,
  about: string,
  change: (outlast: Outlast, word: string) => Promise<ScheduleView>,
) {
  return command({
    name: `schedule ${word}`,
    summary,
    usage: `schedule ${word} SCHEDULE [OPTIONS]`,
    words: { ...ONE_SCHEDULE, are: `${ONE_SCHEDULE.are}\n${about}` },
    options: {},
    examples: [[`outlast schedule ${word} nightly`, summary]],
    async run({ words: [name = ''], json, print, connect }: Context) {
      const schedule = await change(connect(), name);
      if (json) await print.json(schedule);
      else if (word === 'run-now') await print.line(schedule.session ?? '');
      else await print.line(`${nameOf(schedule)}: ${stateText(schedule)}${nextText(schedule)}`);
      return EXIT.fine;
    },
  });
}

function nextText({ nextText: text }: ScheduleView): string {
  return text === null ? '' : `, next ${text}`;
}

function stateText({ state, waiting }: ScheduleView): string {
  return waiting ? `${state}, waits for its last session` : state;
}

function whenText({ every, at }: ScheduleView): string {
  return every ?? (at === null ? '-' : `once, ${new Date(at).toISOString()}`);
}

function rowOf(schedule: ScheduleView, nowMs: number): string[] {
  const { last, nextAtMs, every } = schedule;
  return [
    nameOf(schedule),
    schedule.waiting ? 'waiting' : schedule.state,
    nextAtMs === null ? '-' : `in ${durationText(nextAtMs - nowMs)}`,
    every ?? 'once',
    last === null ? '-' : `${last.how} ${durationText(nowMs - last.atMs)} ago`,
    `${schedule.agent ?? 'command'}: ${oneLine(schedule.text)}`,
  ];
}

/** An event and what it says, in one line. */
function eventText(event: string, body: Readonly<Record<string, unknown>>): string {
  const { plannedMs, session, text, why, count, does } = body;
  const parts = [
    ...(typeof plannedMs === 'number' ? [`planned ${new Date(plannedMs).toISOString()}`] : []),
    ...(count === undefined ? [] : [`${count} times, ${does}`]),
    ...[session, why, text].filter((each) => typeof each === 'string'),
  ];
  return parts.length === 0 ? event : `${event}: ${parts.join(', ')}`;
}
