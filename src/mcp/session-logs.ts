import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import type { LogLine } from '../client/index.ts';
import { lastLines } from '../present/log-printer.ts';
import { PLAIN } from '../present/log-text.ts';
import { asData, lastOf } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';

const LINES = 50;
const LINES_MAX = 1_000;

const SENTENCE = ROUTES['session.logs'].sentence.replace(', and follows it', '');
const { session, sinceMs, full, last } = CONTRACT['session.logs'].input.shape;

/** `session_logs`: what happened in an agent session, as text. */
export const sessionLogs = tool({
  name: 'session_logs',
  title: 'Read logs',
  description: `${SENTENCE} Without \`last\`: the last ${LINES} entries.`,
  grants: ['read'],
  operations: ['session.logs'],
  input: {
    ...strictly({ session, sinceMs, full }),
    ...strictly({
      last: last.unwrap().max(LINES_MAX).default(LINES).describe(`The last N entries, at most ${LINES_MAX}.`),
    }),
  },
  async run(input, { outlast, signal }) {
    const lines: LogLine[] = [];
    for await (const line of outlast.logs(input, signal)) lines.push(line);
    const style = { ...PLAIN, full: input.full, time: timeText };
    const { text, leftOutChars } = lastOf(lastLines(lines, Number.POSITIVE_INFINITY, style).join('\n'));
    const isOver = lines.at(-1)?.is === 'end';
    if (isOver) await outlast.acknowledge(input.session);
    const missing = leftOutChars > 0 ? [`[cut: ${leftOutChars} characters are missing at the beginning]`] : [];
    const body = text === '' ? '(nothing happened yet)' : asData(text, input.session);
    return { text: [...missing, body].join('\n'), details: { count: lines.length, ended: isOver } };
  },
});

function timeText(atMs: number | null): string {
  return atMs === null ? '' : `${new Date(atMs).toISOString().slice(11, 19)}Z`;
}
