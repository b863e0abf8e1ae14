import type { SessionView } from '../api/shapes.ts';
import type { Replied } from '../client/index.ts';
import { commandLine, limitText, nameOf, stateText } from '../present/state.ts';
import { asData, firstOf } from './data.ts';

const WHY_CHARS_MAX = 2_000;

/** The phase of a session, or how it ended, without foreign text. */
export function stateOf(session: SessionView): string {
  return stateText(session, { line: oneLine, withReason: false });
}

/** The state with its reason. For text that is marked as data, because the reason may quote an agent. */
export function stateAndWhy(session: SessionView): string {
  const why = theirWords(session);
  return why === null ? stateOf(session) : `${stateOf(session)}: ${oneLine(why)}`;
}

/** The state with its reason, which is marked as data. */
export function stateAndMarked(session: SessionView): string {
  const why = theirWords(session);
  return why === null ? stateOf(session) : `${stateOf(session)}\n${asData(why, nameOf(session))}`;
}

function theirWords({ held, outcome, phase }: SessionView): string | null {
  if (phase === 'limited') return null;
  const why = held ?? (outcome?.kind === 'failed' ? outcome.why : undefined);
  return why === undefined ? null : firstOf(why, WHY_CHARS_MAX).text;
}

/** Why there is no reply, and the call that continues. */
export function whyNoReply({ met, session, prompt, reply }: Replied): string {
  const name = nameOf(session);
  const again = `session_wait session=${name} for=reply${prompt === null ? '' : `:${prompt}`}`;
  switch (met) {
    case 'failed':
      return `The turn of ${name} failed: ${reply === null ? 'no reason given' : `\n${failure(reply, name)}`}`;
    case 'interrupted':
      return `The turn of ${name} was interrupted.`;
    case 'dropped':
      return `The prompt was dropped before ${name} got it.`;
    case 'unsure':
      return unsureText(session, prompt);
    case 'held':
      return `${name} needs a person. Ask them to run: outlast attach ${name}\nIt is ${stateAndMarked(session)}`;
    case 'limited':
      return `${name} is ${limitText(session)} and continues automatically. Wait: ${again} throughLimits=true`;
    case 'ended':
      return `${name} ended before it answered: ${stateAndMarked(session)}`;
    default:
      return `No reply yet: timeout; ${waitingOf(session, prompt)}. Wait again: ${again}`;
  }
}

function waitingOf(session: SessionView, prompt: string | null): string {
  const why = session.prompts.find(({ id }) => id === prompt)?.waiting ?? null;
  const name = nameOf(session);
  return why === null
    ? `${name} is ${stateOf(session)} and keeps running`
    : `the prompt is not sent yet: ${oneLine(why)}`;
}

/** The unsure prompt may be another one, ahead of the caller's own. */
function unsureText(session: SessionView, prompt: string | null): string {
  const name = nameOf(session);
  const unsure = session.prompts.find(({ state }) => state === 'unsure')?.id ?? prompt;
  const what =
    unsure === prompt ? 'it, so it is not' : `the prompt ${unsure}, and this one waits behind it, so neither is`;
  const drop = `A person can drop it: outlast prompt ${name} --drop ${unsure}`;
  return `It is not known whether ${name} received ${what} sent again. Look: session_output session=${name}. ${drop}`;
}

/** A tool call as callers write it. */
export function callOf(tool: string, input: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return [
    tool,
    ...given.map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`),
  ].join(' ');
}

/** What it runs, as one line. */
export function commandOf({ argv, agent, drive, prompts, lastTurn }: SessionView): string {
  const asked = prompts[0] ?? lastTurn;
  const prompt = asked === null ? '' : `: ${asked.text}`;
  return oneLine(drive === 'command' ? commandLine(argv) : `${agent}${prompt}`);
}

/** A text on one line, cut in the middle when it is long. */
export function oneLine(text: string, charsMax = 200): string {
  const flat = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
  const half = Math.floor((charsMax - 1) / 2);
  return flat.length <= charsMax ? flat : `${flat.slice(0, half)}…${flat.slice(-half)}`;
}

function failure(reply: string, name: string): string {
  const { text, leftOutChars } = firstOf(reply);
  const rest = `[cut: ${leftOutChars} characters are missing at the end; session_turn session=${name}]\n`;
  return `${leftOutChars > 0 ? rest : ''}${asData(text, name)}`;
}
