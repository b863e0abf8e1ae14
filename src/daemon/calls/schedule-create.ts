import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import { shellWord } from '../../base/shell-word.ts';
import { nameOf } from '../../core/name.ts';
import { readTime } from '../../core/schedule/read-time.ts';
import type { ScheduleSpec, When } from '../../core/schedule/schedule.ts';
import { isTimeZone } from '../../core/schedule/zone-time.ts';
import type { Session, Spec } from '../../core/session.ts';
import { namedActor } from '../owners/actors.ts';
import { callerSession } from '../owners/owners.ts';
import { checkCron } from '../schedules/cron.ts';
import { scheduleView } from '../schedules/view.ts';
import type { Parts } from '../serve/parts.ts';
import { checkRequested } from '../start/start-request.ts';

type Input = HandlerInput<'schedule.create'>;

const TEXT_CHARS_MAX = 200;

/** Accepts a schedule. What is wrong with its start now is refused now, rather than when nobody looks. */
export async function scheduleCreate(parts: Parts, input: Input): Promise<CallOutput<'schedule.create'>> {
  const { journal, clock, schedules } = parts;
  const owner = callerSession(journal, input.caller);
  refuseGone(owner);
  const nowMs = clock.wallMs();
  const when = await whenOf(input, nowMs);
  const untilMs = input.until === undefined ? null : timeOf('--until', input.until, nowMs, input.timezone);
  if (untilMs !== null && when.kind === 'at' && untilMs < when.atMs) throw invalid('--until is before --at');
  const { caller: _, ...start } = input.start;
  if (start.name !== undefined && isId(start.name))
    throw invalid(`the name ${start.name} looks like an id; choose another name`);
  if (start.child?.demand && owner === null) throw invalid('spawn works only inside an Outlast session');
  const { spec, warnings } = await checkRequested(parts, start, { owner });
  const made: ScheduleSpec = {
    name: start.name ?? null,
    when,
    timeZone: input.timezone,
    missed: input.missed,
    overlap: input.overlap,
    untilMs,
    startsMax: input.count ?? null,
    what: { agent: spec.drive === 'command' ? null : spec.agent, text: textOf(spec, start), workspace: start.cwd },
    owner: owner?.id ?? null,
    key: input.key ?? null,
  };
  const by = owner === null ? namedActor(input.by) : ({ is: 'owner', session: owner.id } as const);
  const schedule = await schedules.create(made, start, by);
  return { schedule: scheduleView(schedule, await schedules.nextMs(schedule)), warnings: [...warnings] };
}

/** A schedule of a session ends with it. */
function refuseGone(owner: Session | null): void {
  if (owner === null || owner.phase.at !== 'ended') return;
  throw new OutlastError('spawn_refused', `${nameOf(owner)} has ended, and cannot start sessions later`);
}

async function whenOf({ at, every, timezone }: Input, nowMs: number): Promise<When> {
  if ((at === undefined) === (every === undefined)) throw invalid('give one of --at and --every');
  if (every !== undefined) return { kind: 'every', cron: await checkCron(every, timezone, nowMs) };
  return { kind: 'at', atMs: timeOf('--at', at ?? '', nowMs, timezone) };
}

function timeOf(flag: string, text: string, nowMs: number, timeZone: string): number {
  if (!isTimeZone(timeZone)) throw invalid(`there is no time zone "${timeZone}"; use a name such as Europe/Berlin`);
  const read = readTime(text, nowMs, timeZone);
  if ('fault' in read) throw invalid(`${flag}: ${read.fault}`);
  return read.ms;
}

function textOf(spec: Spec, { prompt = '', shell }: Input['start']): string {
  const text = spec.drive === 'command' ? (shell ?? spec.argv.map(shellWord).join(' ')) : prompt;
  return text.trim().replace(/\s+/g, ' ').slice(0, TEXT_CHARS_MAX);
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
