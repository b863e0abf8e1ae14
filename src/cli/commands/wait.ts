import type { CallOutput } from '../../api/contract.ts';
import { command, ONE_SESSION } from '../command.ts';
import { countOf, durationOf } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { spin } from '../spinner.ts';
import { endedBadly, nameOf, stateOf } from '../view.ts';

/** `outlast wait` */
export const wait = command({
  name: 'wait',
  summary: 'Wait for an exit, a silence or a text.',
  usage: 'wait S [--for exit|idle-output:2s|text:REGEX] [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: `${ONE_SESSION.are}\nStatus: 0 it happened, 3 not there, 6 time is up, 7 a person needed, 8 ended badly.`,
  },
  completes: 'session',
  options: {
    for: {
      type: 'string',
      value: 'WHAT',
      sentence: 'exit (or ended), idle-output:DURATION or text:REGEX.',
      otherwise: 'exit',
    },
    since: {
      type: 'string',
      value: 'CURSOR',
      sentence: 'Only output after this offset counts.',
      otherwise: 'from now on',
    },
    timeout: { type: 'string', value: 'D', sentence: 'Wait at most so long.', otherwise: 'for ever' },
  },
  examples: [
    ['outlast wait fix-tests && echo green', 'Until it ends; fails when it failed.'],
    ["outlast wait server --for 'text:listening on \\d+' --timeout 30s", 'Until it says so.'],
    ['outlast wait repl --for idle-output:2s', 'Until it has been silent for two seconds.'],
  ],
  async run(context) {
    const { values, print } = context;
    const [session = ''] = context.words;
    const what = values.for ?? 'exit';
    const input = {
      session,
      for: what,
      since: countOf('--since', values.since),
      timeoutMs: durationOf('--timeout', values.timeout),
    };
    const result = await spin(context, `waiting for ${what} of ${session}`, context.connect().wait(input));
    const status = waitStatus(result);
    if (context.json) await print.json({ ...result, status });
    else if (status === EXIT.tooSlow)
      await print.note(`outlast: the time is up; ${nameOf(result.session)} is ${stateOf(result.session)}`);
    else
      await print.line(
        result.match === undefined
          ? `${nameOf(result.session)}: ${stateOf(result.session)}`
          : print.style('bold', clean(result.match)),
      );
    return status;
  },
});

/** The exit status that says how a wait went. */
export function waitStatus({ met, session }: Pick<CallOutput<'session.wait'>, 'met' | 'session'>): number {
  if (met === 'text' || met === 'idle-output') return EXIT.fine;
  if (met === 'exit') return endedBadly(session) ? EXIT.endedBadly : EXIT.fine;
  if (session.phase === 'ended') return EXIT.endedBadly;
  return session.held === null ? EXIT.tooSlow : EXIT.held;
}

function clean(match: string): string {
  return match.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
