import type { CallOutput } from '../../api/contract.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { tableOf } from '../views/view.ts';

type Limit = CallOutput<'limit.list'>['limits'][number];

const HEAD = ['AGENT', 'ACCOUNT', 'LIMIT', 'USED', 'RESETS', 'SEEN', 'BY'];

/** `outlast limits` */
export const limits = command({
  name: 'limits',
  summary: 'Show the usage limits of each account, and how much is used.',
  usage: 'limits',
  words: NO_WORDS,
  options: {},
  examples: [
    ['outlast limits', 'As the agents last reported them; no request is made to find out.'],
    ['outlast limits --json | jq ".limits[] | select(.usedPercent > 90)"', 'For a script.'],
  ],
  run: runLimits,
});

async function runLimits({ json, print, env, connect, clock }: Context): Promise<number> {
  const seen = await connect().limits();
  if (json) await print.json(seen);
  else if (seen.limits.length === 0) await print.line('No agent has reported a usage limit that is still in effect.');
  else {
    const rows = seen.limits.map((limit) =>
      cellsOf(limit, accountOf(limit, seen.limits, env.HOME ?? ''), clock.wallMs()),
    );
    const [first = '', ...lines] = tableOf([HEAD, ...rows], print.stdout.columns);
    await print.line([print.style('bold', first), ...lines].join('\n'));
  }
  return EXIT.fine;
}

function cellsOf(limit: Limit, account: string, nowMs: number): string[] {
  const { agent, window, usedPercent, resetsAtMs, seenAtMs, session, name } = limit;
  return [
    agent,
    oneLine(account),
    oneLine(window),
    usedPercent === null ? '-' : `${usedPercent}%`,
    resetsAtMs === null ? '-' : `in ${durationText(resetsAtMs - nowMs)}`,
    `${durationText(nowMs - seenAtMs)} ago`,
    nameOf({ name, id: session }),
  ];
}

/** The folder with the login, and what distinguishes accounts that have the same one. */
function accountOf({ agent, account, home }: Limit, all: readonly Limit[], own: string): string {
  if (home === null) return account;
  const isShared = all.some((other) => other.agent === agent && other.home === home && other.account !== account);
  const short = own !== '' && home.startsWith(`${own}/`) ? `~${home.slice(own.length)}` : home;
  return isShared ? `${short} ${account}` : short;
}
