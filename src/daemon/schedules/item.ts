import { unreachable } from '../../base/assert.ts';
import { nameOf } from '../../core/name.ts';
import { MISSED_MAX } from '../../core/schedule/next-schedule.ts';
import type { Schedule, ScheduleBody } from '../../core/schedule/schedule.ts';
import type { ScheduleEntry } from '../../journal/schedules.ts';
import type { NoticeItem } from '../notices/item.ts';
import { zonedText } from './zoned-text.ts';

/** What a notice says about an event of a schedule; null: nobody is told about it. */
export function scheduleItem({ number, event }: ScheduleEntry, schedule: Schedule): NoticeItem | null {
  const why = whyText(event.body, schedule);
  if (why === null) return null;
  const { what } = schedule.spec;
  return {
    session: '',
    name: null,
    event: event.body.type,
    position: number,
    at: new Date(event.atMs).toISOString(),
    exit: null,
    outcome: null,
    failed: isFailure(event.body),
    why,
    command: `schedule ${nameOf(schedule)}`,
    snippet: what.text,
    read: `outlast schedule show ${nameOf(schedule)}`,
    tookMs: 0,
  };
}

/** A session that was wanted does not exist. */
export function isFailure({ type }: ScheduleBody): boolean {
  return type === 'schedule.failed' || type === 'schedule.missed' || type === 'schedule.ended';
}

function whyText(body: ScheduleBody, { spec: { timeZone } }: Schedule): string | null {
  const at = (ms: number): string => zonedText(ms, timeZone);
  switch (body.type) {
    case 'schedule.failed':
      return `no session was started for ${at(body.plannedMs)}: ${body.text}`;
    case 'schedule.skipped':
      return `no session was started for ${at(body.plannedMs)}: the last one, ${body.session}, is still working`;
    case 'schedule.missed': {
      const many = body.count >= MISSED_MAX ? `${MISSED_MAX} or more` : String(body.count);
      const times = body.count === 1 ? at(body.lastMs) : `${many} times from ${at(body.firstMs)} to ${at(body.lastMs)}`;
      return `missed ${times}: the daemon was not running or the machine was off; ${doesText(body)}`;
    }
    case 'schedule.ended':
      return body.why === 'owner' ? 'it ended, because the session that made it has ended' : null;
    case 'schedule.created':
    case 'schedule.starting':
    case 'schedule.started':
    case 'schedule.waiting':
    case 'schedule.rewound':
    case 'schedule.paused':
    case 'schedule.resumed':
    case 'schedule.removed':
      return null;
    default:
      return unreachable(body);
  }
}

function doesText({ count, does }: Extract<ScheduleBody, { type: 'schedule.missed' }>): string {
  if (does === 'skip') return 'nothing is started for it';
  return count === 1 ? 'it is started now' : 'one session is started now for all of them';
}
