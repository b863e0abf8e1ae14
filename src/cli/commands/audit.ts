import type { CallOutput } from '../../api/contract.ts';
import { command, NO_WORDS } from '../base/command.ts';
import { parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { spin } from '../views/spinner.ts';

type Row = CallOutput<'audit.read'>;

/** `outlast audit` */
export const audit = command({
  name: 'audit',
  summary: 'List the decisions about tool calls.',
  usage: 'audit [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: 'Oldest first: who allowed or denied what, by which rule, and the result; also access to the web page.',
  },
  options: {
    session: { type: 'string', value: 'S', sentence: 'Only this session.', completes: 'session' },
    tool: { type: 'string', value: 'TOOL', sentence: 'Only this tool.' },
    by: { type: 'string', value: 'NAME', sentence: 'Only decisions by this name, or by rules or timeout.' },
    since: { type: 'string', value: 'WHEN', sentence: 'Only since this date, or this long ago, such as 2h.' },
  },
  examples: [
    ['outlast audit --session api --tool Bash', 'Who allowed api to run which commands.'],
    ['outlast audit --since 7d --json > audit.jsonl', 'As JSON lines, with their hashes.'],
  ],
  async run({ values: { session, tool, by, since }, json, print, clock, connect }) {
    const wanted = {
      ...(session === undefined ? {} : { session }),
      ...(tool === undefined ? {} : { tool }),
      ...(by === undefined ? {} : { by }),
      ...(since === undefined ? {} : { sinceMs: timeOf(since, clock.wallMs()) }),
    };
    for await (const row of connect().approvals.audit(wanted)) {
      if (json) await print.json(row);
      else await print.line(lineOf(row, print));
    }
    return EXIT.fine;
  },
});

/** `outlast audit verify` */
export const auditVerify = command({
  name: 'audit verify',
  summary: 'Verify that no decision was changed.',
  usage: 'audit verify [OPTIONS]',
  words: { ...NO_WORDS, are: 'Status: 0 intact, 1 damaged: names the first bad row.' },
  options: {
    head: { type: 'string', value: 'HEAD', sentence: 'Also check that this row, stored elsewhere, is still there.' },
  },
  examples: [
    ['outlast audit verify', 'Checks the chain of hashes.'],
    ['outlast audit verify --head "$(cat head.txt)"', 'Also detects rows cut off since `audit head`.'],
  ],
  async run(context) {
    const { json, print, connect } = context;
    const { head } = context.values;
    const verifying = connect().approvals.verify(head === undefined ? {} : { head });
    const result = await spin(context, 'verifying the audit', verifying);
    if (json) await print.json(result);
    else if (result.ok) await print.line(`${result.rows} ${result.rows === 1 ? 'row is' : 'rows are'} intact.`);
    else await print.line(`${print.style('red', 'Damaged')}: ${result.fault}; intact rows before it: ${result.rows}.`);
    return result.ok ? EXIT.fine : EXIT.failed;
  },
});

/** `outlast audit head` */
export const auditHead = command({
  name: 'audit head',
  summary: 'Print the last row, to store elsewhere.',
  usage: 'audit head [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: 'Anyone who can write the file can forge a new chain; a head stored elsewhere reveals that.',
  },
  options: {},
  examples: [['outlast audit head > head.txt', 'For `outlast audit verify --head`.']],
  async run({ json, print, connect }) {
    const { head, ok } = await connect().approvals.verify();
    if (json) await print.json({ head, ok });
    else await print.line(head);
    return ok ? EXIT.fine : EXIT.failed;
  },
});

function lineOf({ number, ts, record }: Row, print: Print): string {
  const isDevice = String(record.event).startsWith('device.');
  const who = isDevice ? 'web' : String(record.name ?? record.session ?? '');
  return `${number} ${ts} ${oneLine(who)} ${print.style('bold', whatOf(record))}`;
}

function whatOf(record: Row['record']): string {
  const word = (name: string): string => oneLine(String(record[name] ?? ''));
  const call = [word('tool'), word('approval')].filter(Boolean).join(' ');
  switch (record.event) {
    case 'approval.decided': {
      const rule = record.rule === null ? '' : ` (${word('rule')})`;
      const why = record.why === '' || record.rule !== null ? '' : `: ${word('why')}`;
      return `${record.allow === true ? 'allowed' : 'denied'} ${call} by ${word('by')}${rule}${why}`;
    }
    case 'approval.used':
      return `used ${call}`;
    case 'approval.missed':
      return `no longer needed: ${call}`;
    case 'approval.refused':
      return `REFUSED: ${word('by')} tried to decide about its own ${call}`;
    case 'approval.ruled':
      return `rule by ${word('by')}: ${word('effect')} ${word('text')}${record.always === true ? ' always' : ''}`;
    case 'approval.breached':
      return `USED WITHOUT APPROVAL: ${call} (${word('evidence')})`;
    case 'device.linked':
      return `a link was made by ${word('by')} (${grantsIn(record)})`;
    case 'device.signed_in':
      return `${word('browser')} signed in (${grantsIn(record)}), by a link of ${word('by')}`;
    case 'device.signed_out':
      return `${word('browser')} signed out, by ${word('by')}`;
    case 'chain.begun':
      return `a new chain starts (${word('why')}); the one before ended with ${word('head')}`;
    default:
      return oneLine(JSON.stringify(record));
  }
}

function grantsIn({ grants }: Row['record']): string {
  return Array.isArray(grants) ? oneLine(grants.join(', ')) : '';
}

function timeOf(word: string, nowMs: number): number {
  if (/^\d{4}-/.test(word)) {
    const ms = Date.parse(word);
    if (Number.isNaN(ms))
      throw wrongCall(`--since: "${word}" is not a date; write it like 2026-11-15 or 2026-11-15T08:00Z`);
    return ms;
  }
  return Math.max(0, nowMs - parseDuration('--since', word));
}
