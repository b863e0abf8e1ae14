import { createHash } from 'node:crypto';
import type { CallOutput } from '../../api/contract.ts';
import type { Session } from '../../core/session.ts';
import type { LimitWindow } from '../../core/usage.ts';

type LimitView = CallOutput<'limit.list'>['limits'][number];

/** A limit that a session saw with one of its agents. */
export interface SeenLimit extends LimitWindow {
  readonly agent: string;
  /** Wall time. */
  readonly atMs: number;
}

/** The window of a limit that a session met, if the agent did not say which one it is. */
const MET = 'met';
/** A limit that has no end is not believed for longer. */
const NO_END_MS_MAX = 5 * 3_600_000;
/** Ends that are this close are the same. */
const SAME_END_MS = 60_000;

/** The limits that a session saw, also with agents before a switch. `wallOf` converts steady time. */
export function seenIn(session: Session, wallOf: (steadyMs: number) => number): SeenLimit[] {
  const { spec, accounting, conversation } = session;
  const met = (agent: string, untilMs?: number, sinceMs?: number): SeenLimit[] =>
    untilMs === undefined || sinceMs === undefined
      ? []
      : [{ agent, name: MET, usedPercent: 100, resetsAtMs: untilMs, atMs: wallOf(sinceMs) }];
  const place = session.attendance.suspendedPhase?.phase ?? session.phase;
  const earlier = (conversation.earlier ?? []).flatMap(({ agent, gauges = [], limitedUntilMs, limitedSinceMs }) => [
    ...gauges.map((gauge) => ({ ...gauge, agent })),
    ...met(agent, limitedUntilMs, limitedSinceMs),
  ]);
  return [
    ...earlier,
    ...(accounting.gauges ?? []).map((gauge) => ({ ...gauge, agent: spec.agent })),
    ...(place.at === 'limited' ? met(spec.agent, place.untilMs, place.sinceMs) : []),
  ];
}

/** Can it still count at this time? */
export function isOpen({ resetsAtMs, atMs }: SeenLimit, nowMs: number): boolean {
  return resetsAtMs === null ? nowMs - atMs < NO_END_MS_MAX : resetsAtMs > nowMs;
}

/** The newest report about each limit of each account. */
export function newestOf(views: readonly LimitView[]): LimitView[] {
  const groups = Map.groupBy(views, ({ agent, account, window }) => `${agent}\n${account}\n${window}`);
  const newest = [...groups.values()].flatMap((same) => same.sort((a, b) => b.seenAtMs - a.seenAtMs).slice(0, 1));
  const isNamed = (one: LimitView): boolean => newest.some((other) => other.window !== MET && isSameEnd(one, other));
  return newest.filter((one) => one.window !== MET || !isNamed(one)).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** A limit that was met and one that was reported as used up are the same if they end together. */
function isSameEnd(met: LimitView, other: LimitView): boolean {
  const isSame = met.agent === other.agent && met.account === other.account && (other.usedPercent ?? 0) >= 100;
  return isSame && Math.abs((met.resetsAtMs ?? 0) - (other.resetsAtMs ?? 0)) <= SAME_END_MS;
}

function orderOf({ agent, home, account, window }: LimitView): string {
  return [agent, home ?? '', account, window].join('\n');
}

/** What is shown of an account: what follows the folder of its login may be secret. */
export function accountView(account: string): Pick<LimitView, 'account' | 'home'> {
  const [, home = ''] = account.split('\n');
  const hash = createHash('sha256').update(account).digest('hex').slice(0, 8);
  return { account: hash, home: home === '' ? null : home };
}
