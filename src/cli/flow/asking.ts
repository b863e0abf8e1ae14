import type { ApprovalView } from '../../api/contract-approvals.ts';
import type { Outlast, Session } from '../../client/index.ts';
import { revealed } from '../../present/harmless.ts';
import type { Context } from '../base/command.ts';
import { oneLine } from '../base/print.ts';
import { cut } from '../views/view.ts';

const INPUT_COLUMNS_MAX = 100;

/** Waits for something of a session, and prints on stderr which of its calls wait for approval. */
export async function tellAsked<T>(
  { print }: Pick<Context, 'print'>,
  outlast: Outlast,
  { id, started }: Session,
  waiting: Promise<T>,
): Promise<T> {
  if (started === null || started.gate === 'off') return waiting;
  const over = new AbortController();
  const telling = (async () => {
    for await (const { approval } of outlast.approvals.follow({ session: id }, over.signal)) {
      if (approval !== undefined) await print.note(askedText(approval));
    }
  })().catch(() => {}); // Best effort: the wait itself reports what goes wrong.
  try {
    return await waiting;
  } finally {
    over.abort();
    await telling;
  }
}

function askedText({ id, tool, input }: ApprovalView): string {
  const text = cut(revealed(oneLine(JSON.stringify(input) ?? '')), INPUT_COLUMNS_MAX);
  const how = `outlast approve ${id}   or   outlast deny ${id} --why "…"`;
  return `outlast: ${oneLine(tool)} waits for approval: ${text}\n  ${how}`;
}
