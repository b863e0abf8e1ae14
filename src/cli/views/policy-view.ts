import type { PolicyView } from '../../api/policy-shape.ts';
import type { SessionView } from '../../api/shapes.ts';
import { durationText } from '../../present/duration.ts';
import { countText } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';

/** The usage of a session, in a few words. */
export function usedText({ usage: { turns, tokens, usd, byKind } }: SessionView): string {
  const cost = usd === null ? [] : [`$${usd.toFixed(2)}`];
  const kinds = byKind === undefined ? '' : ` (${kindsText(byKind)})`;
  return [`${turns} ${turns === 1 ? 'turn' : 'turns'}`, `${countText(tokens)} tokens${kinds}`, ...cost].join(', ');
}

function kindsText({ input, output, cacheRead, cacheWrite }: NonNullable<SessionView['usage']['byKind']>): string {
  const cached = [`${countText(cacheRead)} from the cache`, `${countText(cacheWrite)} to it`];
  const rest = cacheRead + cacheWrite === 0 ? [] : cached;
  return [`${countText(input)} input`, `${countText(output)} output`, ...rest].join(', ');
}

/** The usage of a session, short enough for a column. */
export function usedCell({ drive, usage }: SessionView): string {
  if (drive === 'command') return '-';
  const cost = usage.usd === null ? ` ${countText(usage.tokens)}tok` : ` $${usage.usd.toFixed(2)}`;
  return `${usage.turns}t${usage.tokens === 0 && usage.usd === null ? '' : cost}`;
}

/** The time since the last activity of an agent. */
export function signText({ lastSignAtMs }: SessionView, nowMs: number): string {
  return lastSignAtMs === undefined ? '-' : `${durationText(nowMs - lastSignAtMs)} ago`;
}

/** The limits of an agent session, as rows of `show`. */
export function policyRows(session: SessionView, policy: PolicyView): string[][] {
  const { deadlineMsMax, onLimit, switchBack, resumes, hang, memoryBytesMax } = policy;
  const window = `${resumes.windowMax} in ${durationText(resumes.windowMs)}`;
  return [
    ['gate', gateText(session, policy)],
    ...(session.approvals === 0
      ? []
      : [['waiting', `${session.approvals} to approve: outlast approvals ${nameOf(session)}`]]),
    ['resumes', `${session.resumes} of ${resumes.max}, at most ${window}`],
    ['budget', budgetText(policy.budget)],
    ['deadline', deadlineMsMax === null ? 'none' : `${durationText(deadlineMsMax)}, excluding sleep`],
    ['on limit', switchBack ? `${onLimit}, and back when it is over` : onLimit],
    ['hang timeout', `${durationText(hang.thinkMsMax)}, ${durationText(hang.toolMsMax)} while a tool runs`],
    ...(memoryBytesMax === null ? [] : [['memory', `at most ${Math.round(memoryBytesMax / 1024 ** 2)} MiB`]]),
  ];
}

function gateText({ gate }: SessionView, { approvalMsMax }: PolicyView): string {
  if (gate === 'off') return 'off: tool calls need no approval';
  const time = approvalMsMax === null ? 'without a timeout' : `for ${durationText(approvalMsMax)}`;
  if (gate === 'watch') return `watch: each tool call is shown ${time}, then allowed`;
  return `gate: every tool call needs approval; waits ${time}`;
}

function budgetText({ turns, tokens, usd }: PolicyView['budget']): string {
  const parts = [
    ...(turns === null ? [] : [`${turns} turns`]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(usd === null ? [] : [`$${usd}`]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}
