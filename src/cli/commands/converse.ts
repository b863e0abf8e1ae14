import { cursorOf } from '../../client/cursor.ts';
import { nameOf } from '../../present/state.ts';
import { command, SESSION } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { LEFT, orLeave } from '../flow/leaving.ts';
import { IMAGE_OPTIONS, imagesInput } from '../input/image-options.ts';
import { neededPrompt } from '../input/prompt-text.ts';
import { throughLimit } from '../views/limit.ts';
import { printReply, replyStatus, tellReply, waitAgain } from '../views/reply.ts';
import { spin } from '../views/spinner.ts';

/** `outlast converse` */
export const converse = command({
  name: 'converse',
  summary: 'Send a prompt to an agent and print the reply.',
  usage: 'converse S [PROMPT|-] [OPTIONS]',
  words: {
    min: 1,
    max: Number.POSITIVE_INFINITY,
    are: [
      `${SESSION} PROMPT is one argument; - or nothing is standard input.`,
      'stdout has only the reply. After a timeout the session keeps running, and stderr says how to wait again.',
      'Waits for a usage limit to reset; with --timeout D only if that is within D, else status 7 at once.',
      'Status: 0 answered, 4 interrupted, dropped or stopped, 6 timeout, 7 a person is needed, 8 failed.',
    ].join('\n'),
  },
  completes: 'session',
  options: {
    'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
    ...IMAGE_OPTIONS,
    timeout: {
      type: 'string',
      value: 'D',
      sentence: 'Wait this long for the reply; then it continues in the background.',
      otherwise: 'none',
      was: 'wait',
    },
    'with-turn': { type: 'boolean', sentence: 'Print the whole turn as Markdown instead of the reply.' },
    command: { type: 'boolean', sentence: 'Allow it to begin with / or !, as a command to the agent.' },
  },
  examples: [
    ['outlast converse api "what is left to do?"', 'Ask, wait, print.'],
    ['outlast converse api "go on" --timeout 300s', 'At most five minutes; then it continues in the background.'],
    ['git diff | outlast converse api --with-turn', 'With all tool calls.'],
  ],
  async run(context) {
    const { values, json, print } = context;
    const [session = '', ...words] = context.words;
    const timeoutMs = durationOf('--timeout', values.timeout);
    const source = { name: 'converse', words, file: values['prompt-file'], implicit: true };
    const text = await neededPrompt(source, context);
    const outlast = context.connect();
    const given = await outlast.prompt({ session, prompt: text, asCommand: values.command, ...imagesInput(values) });
    const { id } = given.session;
    const asked = { session: id, prompt: given.prompt };
    const waiting = orLeave((signal) =>
      throughLimit(context, { timeoutMs, endures: true }, (how) => outlast.reply({ ...asked, ...how }, signal)),
    );
    const replied = await spin(context, `waiting for the reply of ${session}`, waiting);
    if (typeof replied === 'string') {
      const again = waitAgain(given.session, given.prompt);
      // The terminal may be gone.
      await print.note(`${nameOf(given.session)} keeps running\n  Wait for the reply: ${again}`).catch(() => {});
      return LEFT[replied];
    }
    const isOver = replied.met === 'answered' || replied.met === 'failed';
    if (isOver) await outlast.acknowledge(id, cursorOf(replied));
    if (!values['with-turn'] || replied.met !== 'answered') return tellReply(context, replied);
    const turn = await outlast
      .turn({ session: replied.session.id, prompt: replied.prompt ?? undefined })
      .catch(() => null);
    // The agent has not written the turn to its transcript: print the reply alone.
    if (turn === null) return tellReply(context, replied);
    if (json) await print.json({ ...replied, turn: turn.turn, markdown: turn.markdown, status: replyStatus(replied) });
    else await printReply(print, turn.markdown);
    return replyStatus(replied);
  },
});
