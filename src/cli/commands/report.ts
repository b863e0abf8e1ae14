import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { printReply } from '../views/reply.ts';

/** `outlast report` */
export const report = command({
  name: 'report',
  summary: 'Tell on one page what happened to a session.',
  usage: 'report S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {},
  examples: [
    ['outlast report api', 'Runs, why they broke, what was done, last output, changes, cost; as Markdown.'],
    ['outlast report api > report.md', 'To hand on: what looks like a secret is masked.'],
    ['outlast report api --json', 'The same for a program.'],
  ],
  async run({ words: [session = ''], json, print, connect }) {
    const told = await connect().call('session.report', { session });
    await (json ? print.json(told) : printReply(print, told.markdown));
    return EXIT.fine;
  },
});
