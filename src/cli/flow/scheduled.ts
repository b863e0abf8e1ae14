import type { ScheduleInput } from '../../client/index.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf } from '../../present/state.ts';
import type { Context } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { installedStarter } from '../service/installed.ts';
import { tableOf } from '../views/view.ts';

/** Makes a schedule, prints its id on stdout and the rest on stderr. */
export async function startLater(context: Context, input: ScheduleInput): Promise<number> {
  const { print, json, env, clock } = context;
  const { schedule, warnings } = await context.connect().schedules.create(input);
  const starter = installedStarter(env);
  if (json) {
    await print.json({ schedule, warnings, starter });
    return EXIT.fine;
  }
  for (const each of warnings) await print.note(`outlast: warning: ${each}`);
  await print.line(schedule.id);
  const name = nameOf(schedule);
  const inText = schedule.nextAtMs === null ? '' : `, in ${durationText(schedule.nextAtMs - clock.wallMs())}`;
  const rows = [
    ['  schedule', schedule.name === null ? schedule.id : `${schedule.id} (${schedule.name})`],
    ...(schedule.every === null ? [] : [['  every', schedule.every]]),
    [schedule.every === null ? '  at' : '  next', `${schedule.nextText ?? '-'}${inText}`],
    ['  details', `outlast schedule show ${name}`],
    ['  cancel', `outlast schedule remove ${name}`],
  ];
  await print.note(['Scheduled.', ...tableOf(rows, Number.POSITIVE_INFINITY)].join('\n'));
  if (starter === null) await print.note(NO_STARTER);
  return EXIT.fine;
}

/** What a schedule needs, and does not have here. */
export const NO_STARTER = 'Nothing starts the daemon after a reboot. To change that: outlast service install';
