import type { Outlast, Replied, Session, SessionView } from '../../client/index.ts';
import { monitorWarning } from '../../compat/monitor.ts';
import { type Context, command } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { tellAsked } from '../flow/asking.ts';
import { LEFT, type Leaving, orLeave } from '../flow/leaving.ts';
import { AGENT_OPTIONS, agentInput, promptWords } from '../input/agent-options.ts';
import { IMAGE_OPTIONS, imagesInput } from '../input/image-options.ts';
import { neededPrompt } from '../input/prompt-text.ts';
import { throughLimit } from '../views/limit.ts';
import { hasBroken, printReply, replyStatus, waitAgain, whyNoReply } from '../views/reply.ts';
import { spin } from '../views/spinner.ts';

const OPTIONS = {
  ...AGENT_OPTIONS,
  ...IMAGE_OPTIONS,
  timeout: {
    type: 'string',
    value: 'D',
    sentence: 'Wait this long for the reply; then it continues in the background.',
    otherwise: 'none',
    was: 'wait',
  },
} as const;

/** After the reply an agent needs a moment to exit. We wait this long for its end. */
const END_MS_MAX = 5_000;

/** `outlast run` */
export const run = command({
  name: 'run',
  summary: 'Run an agent on one prompt and print its reply.',
  usage: 'run [PROMPT|-] [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'PROMPT is one argument; - or nothing is standard input. stdout has only the reply.',
      'Ctrl-C leaves it running and prints how to come back; `outlast stop` ends it.',
      'Waits for a usage limit to reset; with --timeout D only if that is within D, else status 7 at once.',
      'Status: 0 done, 4 stopped or interrupted, 6 timeout, 7 a person is needed, 8 ended badly.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast run "fix the tests"', 'Waits, prints the reply, ends.'],
    ['git diff | outlast run --model opus', 'The prompt from standard input.'],
    ['outlast run --image shot.png "what is wrong here?"', 'With an image; repeat --image for more.'],
    [
      'outlast run --timeout 300s --prompt-file review.md',
      'At most five minutes; then it continues in the background.',
    ],
    ['outlast run --deadline 8h --budget-usd 5 --on-limit wait "port it"', 'Overnight, with a cost limit.'],
    ['outlast run --agent scripted "hello"', 'Without an account: an agent that repeats its prompt.'],
  ],
  async run(context) {
    const { values } = context;
    const timeoutMs = durationOf('--timeout', values.timeout);
    const input = agentInput('run', values, context.env, context.behind);
    const warning = monitorWarning(context.env);
    const source = { name: 'run', words: promptWords(context), file: values['prompt-file'], implicit: true };
    const prompt = await neededPrompt(source, context);
    const outlast = context.connect();
    const session = await outlast.start({
      ...input,
      prompt,
      ...imagesInput(values),
      keepOpen: false,
      background: false,
    });
    for (const each of [...session.warnings, ...(warning === null ? [] : [warning])])
      await context.print.note(`outlast: warning: ${each}`);
    const waiting = orLeave((signal) =>
      throughLimit(context, { timeoutMs, endures: true }, (how) => session.reply({ ...how, owner: true }, signal)),
    );
    const watched = tellAsked(context, outlast, session, waiting);
    const end = await spin(context, `waiting for the reply of ${session.id}`, watched);
    return typeof end === 'string' ? leave(context, session, end) : tell(context, outlast, session, end);
  },
});

async function leave(context: Context, session: Session, signal: Leaving): Promise<number> {
  const view = await unattended(session);
  const { id, firstPrompt, started } = session;
  const again = started === null ? `outlast wait ${id}` : waitAgain(started, firstPrompt);
  const how = view?.phase === 'queued' ? `Queued, waiting for a slot: ${id}` : `Still running: ${id}`;
  const note = `${how}\n  Wait for the reply: ${again}\n  End it: outlast stop ${id}`;
  // The terminal may be gone.
  await context.print.note(note).catch(() => {});
  return LEFT[signal];
}

async function tell(context: Context, outlast: Outlast, session: Session, replied: Replied): Promise<number> {
  const { json, print } = context;
  const isOver = !['nothing', 'held', 'limited', 'unsure'].includes(replied.met);
  if (!json && replied.met === 'answered') await printReply(print, replied.reply ?? '');
  const last = isOver
    ? (await outlast.wait({ session: session.id, for: 'ended', timeoutMs: END_MS_MAX })).session
    : null;
  if (!isOver) await unattended(session);
  const result = { ...replied, session: last ?? replied.session };
  // For a failed turn the end of the session decides, which may know more.
  const status = last !== null && hasBroken(last) ? EXIT.endedBadly : replyStatus(result);
  if (json) await print.json({ ...result, status, warnings: session.warnings });
  else if (replied.met !== 'answered') await print.note(whyNoReply(result, context.clock.wallMs()));
  return status;
}

/**
 * Moves it to the background, so that its end is announced. Returns its state; null if that fails, which loses nothing
 * else.
 */
async function unattended(session: Session): Promise<SessionView | null> {
  return session.background().then(
    (answer) => answer.session,
    () => null,
  );
}
