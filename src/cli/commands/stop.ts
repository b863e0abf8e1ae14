import { command } from '../command.ts';
import { durationOf } from '../duration.ts';
import { each } from '../each.ts';
import { wrongCall } from '../parse.ts';
import { spin } from '../spinner.ts';
import { hadEnded, stateOf } from '../view.ts';

/** `outlast stop` */
export const stop = command({
  name: 'stop',
  summary: 'End sessions and everything they started.',
  usage: 'stop S… [OPTIONS]',
  words: { min: 1, max: Number.POSITIVE_INFINITY, are: 'S is the id or the name of a session.' },
  completes: 'live session',
  options: {
    grace: {
      type: 'string',
      value: 'D',
      sentence: 'From being asked to end to being killed.',
      otherwise: 'as it was started with',
    },
    now: { type: 'boolean', sentence: 'Kill at once.' },
    force: { type: 'boolean', sentence: 'Also when it was handed to a person.' },
    leftovers: { type: 'boolean', sentence: 'Of one that has ended: end what it left running.' },
  },
  examples: [
    ['outlast stop server', 'Asked first, killed if need be; returns when nothing is left.'],
    ['outlast stop a b --grace 30s', 'With more patience.'],
  ],
  async run(context) {
    const { values } = context;
    if (values.now && values.grace !== undefined) throw wrongCall('stop: choose one of --now and --grace');
    const graceMs = values.now ? 0 : durationOf('--grace', values.grace);
    const outlast = context.connect();
    return each(context, context.words, async (session) => {
      const fromMs = context.clock.wallMs();
      const { force, leftovers } = values;
      const stopping = outlast.stop({ session, graceMs, force, leftovers });
      const stopped = await spin(context, `stopping ${session}`, stopping);
      if (stopped.leftovers !== undefined)
        return { value: stopped, line: `${session}: ${endedText(stopped.leftovers)}` };
      const before = hadEnded(stopped.session, fromMs) ? 'had ended before: ' : '';
      return { value: stopped, line: `${session}: ${before}${stateOf(stopped.session)}` };
    });
  },
});

function endedText(count: number): string {
  if (count === 0) return 'nothing that it started was left running';
  return count === 1 ? 'ended a process that was left running' : `ended ${count} processes that were left running`;
}
