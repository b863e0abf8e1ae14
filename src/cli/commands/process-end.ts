import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { spin } from '../views/spinner.ts';
import { hadEnded, stateOf } from '../views/view.ts';

/** `outlast process kill` */
export const kill = command({
  name: 'process kill',
  summary: 'End a session.',
  usage: 'process kill S',
  words: ONE_SESSION,
  completes: 'live session',
  options: {},
  examples: [['outlast process kill server', 'Sends TERM, then KILL.']],
  async run(context) {
    const [session = ''] = context.words;
    const fromMs = context.clock.wallMs();
    const stopped = await spin(context, `ending ${session}`, context.connect().stop({ session }));
    const { id } = stopped.session;
    const says = hadEnded(stopped.session, fromMs) ? `Session ${id} had already ended` : `Killed session ${id}`;
    if (context.json) await context.print.json(stopped);
    else await context.print.line(`${says} (${stateOf(stopped.session)}).`);
    return EXIT.fine;
  },
});

/** `outlast process clear` */
export const clear = command({
  name: 'process clear',
  summary: 'Forget an ended session.',
  usage: 'process clear S',
  words: ONE_SESSION,
  completes: 'ended session',
  options: { force: { type: 'boolean', sentence: 'Even if its notices are not delivered yet.' } },
  examples: [['outlast process clear fix-tests', 'Only if it has ended.']],
  async run({ words: [session = ''], values, json, print, connect }) {
    const removed = await connect().remove({ session, force: values.force });
    if (json) await print.json(removed);
    else await print.line(`Cleared session ${removed.id}.`);
    return EXIT.fine;
  },
});

/** `outlast process remove` */
export const processRemove = command({
  name: 'process remove',
  summary: 'End and forget a session.',
  usage: 'process remove S',
  words: ONE_SESSION,
  completes: 'session',
  options: { force: { type: 'boolean', sentence: 'Even if its notices are not delivered yet.' } },
  examples: [['outlast process remove server', 'Stops it first if it is running.']],
  async run(context) {
    const [session = ''] = context.words;
    const removing = context.connect().remove({ session, stop: true, force: context.values.force });
    const removed = await spin(context, `removing ${session}`, removing);
    if (context.json) await context.print.json(removed);
    else await context.print.line(`Removed session ${removed.id}.`);
    return EXIT.fine;
  },
});
