import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { printReply } from '../views/reply.ts';
import { spin } from '../views/spinner.ts';

/** `outlast report` */
export const report = command({
  name: 'report',
  summary: 'Print a one-page report on a session.',
  usage: 'report S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {},
  examples: [
    ['outlast report api', 'Runs, faults, remedies, last output, changes, cost; as Markdown.'],
    ['outlast report api > report.md', 'For sharing: anything that looks like a secret is masked.'],
    ['outlast report api --json', 'For a program.'],
  ],
  async run(context) {
    const { words, json, print, connect } = context;
    const [session = ''] = words;
    const told = await spin(context, `reporting on ${session}`, connect().call('session.report', { session }));
    await (json ? print.json(told) : printReply(print, told.markdown));
    return EXIT.fine;
  },
});
