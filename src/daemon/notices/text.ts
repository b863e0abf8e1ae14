import { durationText } from '../../present/duration.ts';
import { exitText, outcomeText } from '../../present/outcome.ts';
import { cut, oneLine, plainLines } from '../views/one-line.ts';
import type { NoticeItem } from './item.ts';

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

/** The text below the title. */
export function bodyOf(items: readonly NoticeItem[], charsMax: number): string {
  const [first] = items;
  const text = first && items.length === 1 ? detailsOf(first).join('\n') : items.map(headline).join('\n');
  return cut(text, charsMax);
}

/** The full text: each headline with the end of its output, and the command that shows the rest. */
export function textOf(items: readonly NoticeItem[]): string {
  return items.map((item) => `${[headline(item), ...detailsOf(item)].join('\n')}\n`).join('\n');
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
      return `: ${why}`;
    case 'session.held':
      return ` needs a person: ${why}`;
    case 'session.limited':
      return ' met a usage limit';
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
