import { durationText } from '../../present/duration.ts';
import { countText } from '../../present/row.ts';
import { oneLine, type Print } from '../base/print.ts';
import { stateOf, tableOf } from '../views/view.ts';
import { sumOf } from './batch-state.ts';
import type { Row } from './work.ts';

const HEAD = ['NAME', 'STATE', 'TIME', 'TURNS', 'TOKENS', 'COST', 'SESSION'];

/** The table of a batch, one row for each part. */
export function batchTable(rows: readonly Row[], print: Print, columns: number, nowMs: number): string[] {
  const [head = '', ...lines] = tableOf([HEAD, ...rows.map((row) => cellsOf(row, nowMs))], columns);
  return [print.style('bold', head), ...lines];
}

/** How many parts are in each state, and the total cost. */
export function batchSum(rows: readonly Row[]): string {
  const states = ['answered', 'running', 'waiting', 'held', 'stopped', 'failed', 'skipped'] as const;
  const counts = states.flatMap((state) => {
    const found = rows.filter((row) => row.state === state);
    const old = found.filter(({ isOld }) => isOld).length;
    return found.length === 0 ? [] : [`${found.length} ${state}${old === 0 ? '' : ` (${old} before)`}`];
  });
  const { turns, tokens, usd } = sumOf(rows.map(({ usage }) => usage));
  const cost = usd === null ? '' : `, ${moneyOf(usd)}`;
  return `${counts.join(', ')}; ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${countText(tokens)} tokens${cost}`;
}

/** One line about the result of a part. */
export function changeText(row: Row): string {
  const { part, state, tookMs, why, usage, session } = row;
  if (state === 'running') return `${part.name}: running as ${row.part.sessionName} (${session})`;
  const took = tookMs === null ? [] : [`in ${durationText(tookMs)}`];
  const cost = usage.usd === null ? [] : [moneyOf(usage.usd)];
  const reason = why === null ? '' : `: ${oneLine(why)}`;
  return `${part.name}: ${state}${reason}${[...took, ...cost].map((each) => `, ${each}`).join('')}`;
}

function cellsOf(row: Row, nowMs: number): string[] {
  const { part, state, usage, session, isOld } = row;
  const took = state === 'running' ? nowMs - row.sinceMs : row.tookMs;
  const about = state === 'running' && row.view !== null ? stateOf(row.view) : state;
  return [
    part.name,
    isOld ? 'already answered' : about,
    took === null ? '-' : durationText(took),
    String(usage.turns),
    countText(usage.tokens),
    usage.usd === null ? '-' : moneyOf(usage.usd),
    session === null ? '-' : part.sessionName,
  ];
}

function moneyOf(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
