import type { ApprovalLine } from '../../client/index.ts';
import { command, SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { stdinKind } from '../input/stdin.ts';
import { approvalLines } from '../views/approval-view.ts';

/** `outlast approvals` */
export const approvals = command({
  name: 'approvals',
  summary: 'List the tool calls that wait for approval.',
  usage: 'approvals [S] [OPTIONS]',
  words: {
    min: 0,
    max: 1,
    are: [
      `${SESSION} Without it: all of them, oldest first.`,
      'Shows the full input of each call, and for edits a diff against the current file.',
      'Decide with `outlast approve ID` or `outlast deny ID --why "…"`.',
    ].join('\n'),
  },
  completes: 'live session',
  options: {
    follow: {
      type: 'boolean',
      short: 'f',
      sentence: 'Keep following: print new approvals, and those no longer pending.',
    },
    review: { type: 'boolean', sentence: 'Review them one by one, and decide with a key.' },
  },
  examples: [
    ['outlast approvals', 'Pending approvals of all sessions.'],
    ['outlast approvals --review', 'On a terminal: y, n, e, s, a or k for each.'],
    ['outlast approvals --follow --json', 'For a program: one line per change.'],
  ],
  async run(context) {
    const {
      words: [session],
      values,
      json,
      print,
      connect,
    } = context;
    const which = session === undefined ? {} : { session };
    if (values.review) {
      if (json || values.follow) throw wrongCall('approvals: --review cannot be combined with --json or --follow');
      if (stdinKind() !== 'tty' || !print.stdout.isTty) throw wrongCall('approvals: --review needs a terminal');
      const { review } = await import('./review.ts');
      return review(context, connect(), which);
    }
    if (values.follow) {
      for await (const line of connect().approvals.follow(which)) {
        if (json) await print.json(line);
        else await print.line(lineText(line, print));
      }
      return EXIT.fine;
    }
    const open = await connect().approvals.list(which);
    if (json) await print.json({ approvals: open });
    else if (open.length === 0) await print.line('No pending approvals.');
    else await print.line(open.map((asked) => approvalLines(asked, print).join('\n')).join('\n\n'));
    return EXIT.fine;
  },
});

function lineText({ id, approval, decided }: ApprovalLine, print: Print): string {
  if (approval !== undefined) return approvalLines(approval, print).join('\n');
  if (!decided) return `${id} is no longer pending`;
  const why = decided.why === '' ? '' : `: ${oneLine(decided.why)}`;
  return `${id} was ${decided.allow ? 'allowed' : 'denied'} by ${oneLine(decided.by)}${why}`;
}
