import type { ApprovalLine } from '../../client/index.ts';
import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { stdinKind } from '../input/stdin.ts';
import { approvalLines } from '../views/approval-view.ts';

/** `outlast approvals` */
export const approvals = command({
  name: 'approvals',
  summary: 'Show the tool calls that wait for an answer.',
  usage: 'approvals [S] [OPTIONS]',
  words: {
    min: 0,
    max: 1,
    are: [
      'S is the id or the name of a session; without it, all of them, oldest first.',
      'Each with all that the tool would be given, and for edits what would change in the file as it is.',
      'Answer with `outlast approve ID` or `outlast deny ID --why "…"`.',
    ].join('\n'),
  },
  completes: 'live session',
  options: {
    follow: { type: 'boolean', short: 'f', sentence: 'Go on with those that come, and say which are gone.' },
    review: { type: 'boolean', sentence: 'Show them one by one and answer with a key.' },
  },
  examples: [
    ['outlast approvals', 'What waits, in all sessions.'],
    ['outlast approvals --review', 'At a terminal: y, n, e, s, a or k for each.'],
    ['outlast approvals --follow --json', 'For a program: a line for each that comes or goes.'],
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
      if (json || values.follow)
        throw wrongCall('approvals: --review is for a person; it goes with neither --json nor --follow');
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
    else if (open.length === 0) await print.line('Nothing waits for an answer.');
    else await print.line(open.map((asked) => approvalLines(asked, print).join('\n')).join('\n\n'));
    return EXIT.fine;
  },
});

function lineText({ id, approval, decided }: ApprovalLine, print: Print): string {
  if (approval !== undefined) return approvalLines(approval, print).join('\n');
  if (!decided) return `${id} is gone: nobody waits for an answer any more`;
  const why = decided.why === '' ? '' : `: ${oneLine(decided.why)}`;
  return `${id} was ${decided.allow ? 'allowed' : 'denied'} by ${oneLine(decided.by)}${why}`;
}
