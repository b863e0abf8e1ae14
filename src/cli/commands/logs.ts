import { nameOf } from '../../present/state.ts';
import { type Context, command, ONE_SESSION } from '../base/command.ts';
import { countOf, parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { printLogs } from '../flow/logs.ts';
import { stateOf } from '../views/view.ts';
import { printOutput } from './output.ts';

const OPTIONS = {
  follow: { type: 'boolean', short: 'f', sentence: 'Keep following until it ends.' },
  tail: { type: 'string', short: 'n', value: 'N', sentence: 'Only the last N lines.', otherwise: 'all' },
  since: {
    type: 'string',
    value: 'TIME',
    sentence: 'Only what happened since this time (2026-03-01T12:00) or this long ago (10m).',
  },
  full: { type: 'boolean', sentence: 'Show whole tool calls: their input and result.' },
} as const;

/** `outlast logs` */
export const logs = command({
  name: 'logs',
  summary: 'Show what happened in a session.',
  usage: 'logs S [OPTIONS]',
  words: {
    ...ONE_SESSION,
    are: [
      ONE_SESSION.are,
      'Prompts, replies, tools, approvals and faults of an agent; of a command, its output.',
      '--json prints one object per line for everything that happens.',
      'Symbols: > prompt, - tool call, ~ thinking, ? approval, ! fault, * event, = end.',
    ].join('\n'),
  },
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast logs api --follow', 'Everything so far, then new lines as they come.'],
    ['outlast logs api --tail 20', 'The last lines.'],
    ['outlast logs api --since 1h --full', 'The last hour, with whole tool calls.'],
    ['outlast logs api --json | jq -r \'select(.is == "prompt").text\'', 'For a script: all prompts.'],
  ],
  run: runLogs,
});

async function runLogs(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, print, json, words } = context;
  const outlast = context.connect();
  const tail = countOf('--tail', values.tail);
  const sinceMs = values.since === undefined ? undefined : timeOf(values.since, context.clock.wallMs());
  const show = () => outlast.show(words[0] ?? '');
  // A caller that follows waits anyway.
  const { session } = await (values.follow ? outlast.patiently(show) : show());
  if (session.drive === 'command') {
    if (sinceMs !== undefined)
      throw wrongCall(`logs: --since works for agents only: the output of a command has no timestamps; use --tail`);
    await printOutput(context, { session: session.id, tail, follow: values.follow });
  } else {
    await printLogs(context, outlast, {
      session,
      tail,
      sinceMs,
      follow: values.follow,
      full: values.full,
      times: true,
    });
  }
  const { session: now } = await outlast.patiently(() => outlast.show(session.id));
  if (session.drive === 'command' && values.follow && !json)
    await print.note(`outlast: ${nameOf(now)} ended: ${stateOf(now)}`);
  if (now.phase === 'ended') await outlast.acknowledge(session.id);
  return EXIT.fine;
}

/** A time that was written as a duration before now, or as a date. */
function timeOf(word: string, nowMs: number): number {
  if (/^\d+(?:\.\d+)?(?:ms|[smhd])/.test(word)) return nowMs - parseDuration('--since', word);
  const atMs = Date.parse(word);
  if (Number.isNaN(atMs))
    throw wrongCall(`--since: "${word}" is not a time; write it like 10m, 2026-03-01 or 2026-03-01T12:00`);
  return atMs;
}
