import { durationText } from '../../present/duration.ts';
import { exitText, outcomeText } from '../../present/outcome.ts';
import { cut, oneLine, plainLines } from '../views/one-line.ts';
import type { NoticeItem } from './item.ts';

const SHELL_CHARS_MAX = 100;

/** What happened, in one line: `npm test (fix-tests) ended: exit 1, 42 s`. */
export function headline(item: NoticeItem): string {
  const who = item.name === null ? item.command : `${item.command} (${item.name})`;
  return oneLine(item.event === 'session.ended' ? `${who} ended: ${endText(item)}` : `${who}${eventText(item)}`);
}

/** The title of one delivery. */
export function titleOf(items: readonly NoticeItem[]): string {
  const [first] = items;
  return first && items.length === 1 ? headline(first) : `${items.length} notices from Outlast`;
}

/** The text below the title. Of several items as many lines as there is room for, and how many are left out. */
export function bodyOf(items: readonly NoticeItem[], charsMax: number): string {
  const [first] = items;
  if (first && items.length === 1) return cut(detailsOf(first).join('\n'), charsMax);
  const lines = items.map(headline);
  let count = lines.length;
  const text = (): string =>
    [...lines.slice(0, count), ...(count < lines.length ? [`… and ${lines.length - count} more`] : [])].join('\n');
  while (count > 1 && text().length > charsMax) count -= 1;
  return cut(text(), charsMax);
}

/** The full text: each headline with the end of its output, and the command that shows the rest. */
export function textOf(items: readonly NoticeItem[]): string {
  return items.map((item) => `${[headline(item), ...detailsOf(item)].join('\n')}\n`).join('\n');
}

/** A few lines for a terminal: what happened, how the reply begins, and the command that shows the rest. */
export function shellLines(item: NoticeItem): string {
  const [first = ''] = detailsOf(item);
  const more = first === item.read ? [] : [cut(oneLine(first.split('\n')[0] ?? ''), SHELL_CHARS_MAX)];
  const below = [...more, oneLine(item.read)].map((line) => `  ${line}`);
  return `${[`outlast: ${headline(item)}`, ...below].join('\n')}\n`;
}

/** The lines below a headline. The first line of a report repeats the headline and is left out. */
function detailsOf({ report = [], snippet, read }: NoticeItem): string[] {
  return [...report.slice(1), snippet, read].filter(Boolean).map(plainLines);
}

function eventText({ event, why }: NoticeItem): string {
  switch (event) {
    case 'prompt.answered':
      return ' answered';
    case 'prompt.failed':
      return ` failed: ${why}`;
    case 'prompt.unsure':
      return ' may not have received its prompt: a person must check';
    case 'boot':
    case 'test':
    case 'device.signed_in':
    case 'schedule.missed':
    case 'schedule.failed':
    case 'schedule.skipped':
    case 'schedule.ended':
      return `: ${why}`;
    case 'session.held':
      return ` needs a person: ${why}`;
    case 'session.limited':
      return ' hit a usage limit';
    case 'approval.asked':
      return ` asks whether it may use ${why}`;
    case 'approval.refused':
    case 'approval.breached':
      return `: ${why}`;
    default:
      return `: ${event}`;
  }
}

function endText({ outcome, exit, tookMs }: NoticeItem): string {
  const status = exit === null ? null : exitText(exit);
  const how = outcome === null ? status : outcomeText(outcome, status, { line: oneLine, withReason: true });
  return [how, durationText(tookMs)].filter(Boolean).join(', ');
}
