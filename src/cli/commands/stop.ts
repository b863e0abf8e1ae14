import type { Outlast } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command, SESSION } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { each } from '../flow/each.ts';
import { FILTER_OPTIONS, filterInput, isFiltered } from '../input/filter-options.ts';
import { spin } from '../views/spinner.ts';
import { hadEnded, stateOf } from '../views/view.ts';

const OPTIONS = {
  all: { type: 'boolean', sentence: 'All live sessions; inside a session, all its descendants.' },
  grace: {
    type: 'string',
    value: 'D',
    sentence: 'Grace period between TERM and KILL.',
    otherwise: 'as set at its start',
  },
  now: { type: 'boolean', sentence: 'Send KILL at once.' },
  force: { type: 'boolean', sentence: 'Even if it was handed to a person.' },
  leftovers: { type: 'boolean', sentence: 'End stray processes of an ended session.' },
  ...FILTER_OPTIONS,
} as const;

const PAGE = 1_000;

/** `outlast stop` */
export const stop = command({
  name: 'stop',
  summary: 'End sessions and everything they started.',
  usage: 'stop S… [OPTIONS]   or   stop --all [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: `${SESSION} --all or a filter selects sessions instead.`,
  },
  completes: 'live session',
  options: OPTIONS,
  examples: [
    ['outlast stop server', 'Sends TERM, then KILL; returns when no process is left.'],
    ['outlast stop a b --grace 30s', 'With a longer grace period.'],
    ['outlast stop --all', 'All live sessions.'],
    ['outlast stop --agent command --older-than 2h', 'Commands that have run for two hours.'],
  ],
  async run(context) {
    const { values } = context;
    if (values.now && values.grace !== undefined) throw wrongCall('stop: choose one of --now and --grace');
    const graceMs = values.now ? 0 : durationOf('--grace', values.grace);
    const outlast = context.connect();
    const words = await meant(context, outlast);
    if (words.length === 0) {
      if (!context.json) await context.print.line('No live session matches.');
      return EXIT.fine;
    }
    const fromMs = context.clock.wallMs();
    // All are signalled first, so that they end in parallel; then each is waited for.
    if (words !== context.words)
      await Promise.allSettled(
        words.map((session) => outlast.stop({ session, graceMs, force: values.force, wait: false })),
      );
    return each(context, words, async (session) => {
      const { force, leftovers } = values;
      const stopping = outlast.stop({ session, graceMs, force, leftovers });
      const stopped = await spin(context, `stopping ${session}`, stopping);
      if (stopped.leftovers !== undefined)
        return { value: stopped, line: `${session}: ${endedText(stopped.leftovers)}` };
      const state = stateOf(stopped.session);
      const line = hadEnded(stopped.session, fromMs) ? `already ended (${state})` : state;
      return { value: stopped, line: `${session}: ${line}` };
    });
  },
});

function endedText(count: number): string {
  if (count === 0) return 'no stray processes';
  return count === 1 ? 'ended 1 stray process' : `ended ${count} stray processes`;
}

/** The sessions that were named, or those that the options select. */
async function meant({ values, words }: Context<typeof OPTIONS>, outlast: Outlast): Promise<readonly string[]> {
  const isMeant = values.all || isFiltered(values);
  if (isMeant && values.leftovers) throw wrongCall('stop: --leftovers needs the names of sessions');
  if (isMeant && words.length > 0) throw wrongCall('stop: name sessions, or pass --all or a filter; not both');
  if (!isMeant && words.length === 0) throw wrongCall('stop: name a session, --all, or a filter such as --agent');
  if (!isMeant) return words;
  const filter = filterInput('stop', values);
  if (filter.owner !== undefined) await refuseBeginning(outlast, filter.owner);
  if (filter.state === 'ended') throw wrongCall('stop: ended sessions cannot be stopped');
  // Inside a session only its descendants are stopped, and never itself.
  const self = await outlast.self();
  const below = self === null ? {} : { below: self };
  const ids: string[] = [];
  for (let before: string | undefined; ; before = ids.at(-1)) {
    const page = await outlast.list({ ...filter, ...below, state: 'live', limit: PAGE, before });
    ids.push(...page.sessions.map(({ id }) => id));
    if (!page.more) return ids;
  }
}

/** A typing error in an id must not end the sessions of another owner. */
async function refuseBeginning(outlast: Outlast, owner: string): Promise<void> {
  const { id, name } = (await outlast.show(owner)).session;
  if (owner !== id && owner !== name)
    throw wrongCall(`stop: --owner ends many sessions, so it needs the whole id or the name: ${nameOf({ name, id })}`);
}
