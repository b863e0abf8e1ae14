import { type Context, command, SESSION } from '../base/command.ts';
import { parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { each } from '../flow/each.ts';
import { spin } from '../views/spinner.ts';

const OPTIONS = {
  ended: { type: 'boolean', sentence: 'Remove all ended sessions.' },
  'older-than': {
    type: 'string',
    value: 'D',
    sentence: 'With --ended: only those that ended longer ago than this.',
    otherwise: '0',
  },
  force: { type: 'boolean', sentence: 'Even if their notices are not delivered yet.' },
  discard: { type: 'boolean', sentence: 'Even with unsaved work in their worktrees; a rescue ref keeps it.' },
} as const;

/** `outlast remove` */
export const remove = command({
  name: 'remove',
  summary: 'Remove ended sessions and their output.',
  usage: 'remove S… [OPTIONS]   or   remove --ended [--older-than D]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, are: SESSION },
  completes: 'ended session',
  options: OPTIONS,
  examples: [
    ['outlast remove fix-tests', 'An ended session.'],
    ['outlast remove --ended --older-than 7d', 'All that ended more than a week ago.'],
  ],
  async run(context) {
    const { values, words } = context;
    if (values.ended && words.length > 0) throw wrongCall('remove: name sessions or pass --ended, not both');
    if (values.ended && values.discard) throw wrongCall('remove: --discard needs the names of sessions');
    if (values.ended) return prune(context);
    if (values['older-than'] !== undefined) throw wrongCall('remove: --older-than needs --ended');
    if (words.length === 0) throw wrongCall('remove: name a session, or pass --ended');
    const outlast = context.connect();
    return each(context, words, async (session) => {
      const removing = outlast.remove({ session, force: values.force, discard: values.discard });
      const removed = await spin(context, `removing ${session}`, removing);
      const { id, rescued } = removed;
      const who = id === session ? id : `${id} (${session})`;
      return { value: removed, line: [`Removed session ${who}.`, ...(rescued ? [keptText(rescued)] : [])].join('\n') };
    });
  },
});

function keptText({ repository, ref }: { repository: string; ref: string }): string {
  const branch = /^refs\/heads\/(.*)$/.exec(ref)?.[1];
  if (branch !== undefined) return `  Its commits are in ${repository} on the branch ${oneLine(branch)}.`;
  return `  Its work is kept in ${repository}: git checkout -b back ${ref}`;
}

async function prune(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, json, print, connect } = context;
  const olderThanMs = parseDuration('--older-than', values['older-than'] ?? '0');
  const pruned = await spin(context, 'removing sessions', connect().prune({ olderThanMs, force: values.force }));
  if (json) await print.json(pruned);
  else {
    const { length } = pruned.removed;
    await print.line(`Removed ${length} ${length === 1 ? 'session' : 'sessions'}.`);
    for (const { id, why } of pruned.kept) await print.line(`Kept ${id}: ${why}`);
  }
  return EXIT.fine;
}
