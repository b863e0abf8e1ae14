import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import type { Replied } from '../client/index.ts';
import { nameOf } from '../present/state.ts';
import { attend } from './attend.ts';
import { asData, firstOf } from './data.ts';
import { imagesIn } from './images.ts';
import { strictly } from './strict.ts';
import { type Answer, type Call, tool } from './tool.ts';
import { stateAndMarked, stateOf, whyNoReply } from './words.ts';

const WAIT_MS = 120_000;
const WAIT_MS_MAX = 3_600_000;

const { session, key, prompt: words, images, now, asCommand } = CONTRACT['session.prompt'].input.shape;
const prompt = words.unwrap().describe('The prompt.');
const WAS = { text: 'prompt' } as const;
const wait = CONTRACT['session.wait'].input.shape;
const turn = CONTRACT['session.turn'].input.shape;
const { throughLimits } = wait;
const timeoutMs = wait.timeoutMs
  .unwrap()
  .max(WAIT_MS_MAX)
  .default(WAIT_MS)
  .describe('Timeout. The session keeps running after it.');

/** `session_prompt`: queues a prompt for an agent and returns. */
export const sessionPrompt = tool({
  name: 'session_prompt',
  title: 'Prompt an agent',
  description: ROUTES['session.prompt'].sentence,
  grants: ['prompt'],
  operations: ['session.prompt'],
  input: strictly({ session, prompt, images, now, asCommand, key }),
  was: WAS,
  async run({ images, ...input }, { outlast, cwd, signal }) {
    const given = await outlast.prompt({ ...input, ...imagesIn(cwd, images) }, signal);
    const of = nameOf(given.session);
    const next = `session_wait session=${of} for=reply:${given.prompt}`;
    return {
      text: `Prompt queued for ${of}, which is ${stateOf(given.session)}.\nIts reply: ${next}`,
      details: { session: given.session.id, prompt: given.prompt, position: given.position, after: given.after },
    };
  },
});

/** `session_converse`: gives an agent a prompt and waits for the reply. */
export const sessionConverse = tool({
  name: 'session_converse',
  title: 'Converse with an agent',
  description: 'Sends a prompt to an agent and waits for the reply.',
  grants: ['prompt'],
  operations: ['session.prompt', 'session.reply'],
  input: strictly({ session, prompt, images, timeoutMs, throughLimits, now, asCommand, key }),
  was: WAS,
  async run({ timeoutMs, throughLimits, images, ...input }, call) {
    const given = await call.outlast.prompt({ ...input, ...imagesIn(call.cwd, images) }, call.signal);
    // By its id from here on: a name may refer to another session later.
    return replyTo(call, { session: given.session.id, prompt: given.prompt, timeoutMs, throughLimits });
  },
});

/** `session_wait`: waits for a reply, an end, an event, a silence or a text. */
export const sessionWait = tool({
  name: 'session_wait',
  title: 'Wait for a session',
  description: [
    ROUTES['session.wait'].sentence,
    'for: reply, reply:PROMPT, idle, ended, held, approval, event:TYPE, text:REGEX or idle-output:2s.',
    'Every wait also ends when the session ends or needs a person.',
  ].join(' '),
  grants: ['read'],
  operations: ['session.wait', 'session.reply'],
  input: {
    ...strictly({ session, timeoutMs, throughLimits, since: wait.since, after: wait.after }),
    for: wait.for.removeDefault().optional().describe('Default: idle,ended for agents, ended for commands.'),
  },
  async run(input, call) {
    const reply = /^reply(?::(.*))?$/.exec(input.for ?? '');
    const { session, timeoutMs, throughLimits } = input;
    if (reply === null) return waitFor(call, input);
    const named = reply[1] === undefined ? {} : { prompt: reply[1] };
    return replyTo(call, { session, timeoutMs, throughLimits, ...named });
  },
});

/** `session_turn`: the prompt, the tools and the reply of a turn. */
export const sessionTurn = tool({
  name: 'session_turn',
  title: 'Read a turn',
  description: `${ROUTES['session.turn'].sentence} As Markdown: the prompt, the tools, the reply.`,
  grants: ['read'],
  operations: ['session.turn'],
  input: {
    ...strictly({ session, number: turn.number, prompt: turn.prompt, full: turn.full }),
    offset: z.number().int().nonnegative().default(0).describe('Character to start at, to continue where it was cut.'),
  },
  async run({ offset, ...input }, { outlast, signal }) {
    const { number, count, markdown, ended } = await outlast.turn(input, signal);
    const { text, leftOutChars } = firstOf(markdown.slice(offset));
    if (ended && number === count && leftOutChars === 0) await outlast.acknowledge(input.session);
    const next = `session_turn session=${input.session} number=${number}${input.full ? ' full=true' : ''}`;
    const more = `[cut: ${leftOutChars} characters are missing at the end; ${next} offset=${offset + text.length}]`;
    const head = `Turn ${number} of ${count}.${leftOutChars > 0 ? `\n${more}` : ''}`;
    const body = text === '' ? `(it has no more than ${markdown.length} characters)` : asData(text, input.session);
    return { text: `${head}\n${body}`, details: { number, count } };
  },
});

interface Asked {
  readonly session: string;
  readonly prompt?: string;
  readonly timeoutMs: number;
  readonly throughLimits: boolean;
}

async function replyTo(call: Call, asked: Asked): Promise<Answer> {
  const what = `waiting for the reply of ${asked.session}`;
  const timeoutMs = Math.min(asked.timeoutMs, call.waitMsMax);
  const result = await attend(call, what, timeoutMs, call.outlast.reply({ ...asked, timeoutMs }, call.signal));
  const isOver = result.met === 'answered' || result.met === 'failed';
  if (isOver) await call.outlast.acknowledge(result.session.id, result.after);
  return replied(result);
}

function replied(result: Replied): Answer {
  const { met, session, prompt, reply } = result;
  const details = {
    session: session.id,
    prompt,
    met,
    phase: session.phase,
    position: result.position,
    after: result.after,
  };
  if (met !== 'answered') return { text: whyNoReply(result), details, isError: met !== 'nothing' && met !== 'limited' };
  const cut = firstOf(reply ?? '');
  const rest = `[cut: ${cut.leftOutChars} characters are missing at the end; session_turn session=${session.id}]\n`;
  const body = cut.text === '' ? '(an empty reply)' : asData(cut.text, nameOf(session));
  return { text: `${cut.leftOutChars > 0 ? rest : ''}${body}`, details };
}

async function waitFor(
  call: Call,
  input: Omit<Asked, 'prompt'> & {
    for?: string | undefined;
    since?: number | undefined;
    after?: string | number | undefined;
  },
): Promise<Answer> {
  const { outlast, signal } = call;
  const isCommand = async () => (await outlast.show(input.session, signal)).session.drive === 'command';
  const what = input.for ?? ((await isCommand()) ? 'exit' : 'idle,ended');
  const timeoutMs = Math.min(input.timeoutMs, call.waitMsMax);
  const asked = outlast.wait({ ...input, timeoutMs, for: what }, signal);
  const { session, met, match, event, cursor, position, after } = await attend(
    call,
    `waiting for ${what} of ${input.session}`,
    timeoutMs,
    asked,
  );
  const details = { session: session.id, met, phase: session.phase, exit: session.exit, cursor, position, after };
  if (met === 'exit') await outlast.acknowledge(session.id);
  const name = nameOf(session);
  if (met === 'nothing' && session.phase !== 'ended') {
    const again = `session_wait session=${name} for=${what} since=${cursor} after=${after}`;
    return {
      text: `Not yet: timeout; ${name} is ${stateOf(session)} and keeps running. Wait again: ${again}`,
      details,
    };
  }
  const isSilent = met === 'idle-output' ? 'silent, and ' : '';
  const seen = event === undefined ? `${isSilent}${stateAndMarked(session)}` : `${event.event} at ${event.position}`;
  const matched = match === undefined ? '' : `\n${asData(match, name)}`;
  return { text: `${name}: ${seen}${matched}`, details };
}
