import type { Replied, SessionView } from '../../client/index.ts';
import { limitText, nameOf } from '../../present/state.ts';
import type { Context } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import type { Print } from '../base/print.ts';
import { throughTime } from './limit.ts';
import { helpText, stateOf } from './view.ts';

/** The exit status for the result of a prompt. */
export function replyStatus({ met, session }: Pick<Replied, 'met' | 'session'>): number {
  switch (met) {
    case 'answered':
      return EXIT.fine;
    case 'failed':
      return EXIT.endedBadly;
    case 'interrupted':
    case 'dropped':
      return EXIT.stopped;
    case 'unsure':
    case 'held':
    case 'limited':
      return EXIT.held;
    case 'ended':
      return hasBroken(session) ? EXIT.endedBadly : EXIT.stopped;
    case 'nothing':
      return EXIT.tooSlow;
  }
}

/** Did it end neither by itself nor because a caller stopped it? */
export function hasBroken({ outcome }: SessionView): boolean {
  return outcome?.kind === 'failed' || outcome?.kind === 'abandoned';
}

/** Prints the reply on stdout, or on stderr why there is none and what to do. Returns the exit status. */
export async function tellReply(context: Pick<Context, 'json' | 'print' | 'clock'>, replied: Replied): Promise<number> {
  const status = replyStatus(replied);
  if (context.json) await context.print.json({ ...replied, status });
  else if (replied.met === 'answered') await printReply(context.print, replied.reply ?? '');
  else await context.print.note(whyNoReply(replied, context.clock.wallMs()));
  return status;
}

/** Prints a text from an agent, with a final newline. */
export function printReply(print: Print, text: string): Promise<void> {
  return print.text(text === '' || text.endsWith('\n') ? text : `${text}\n`);
}

/** Why there is no reply, and what to do. */
export function whyNoReply({ met, session, prompt, reply }: Replied, nowMs: number): string {
  const name = nameOf(session);
  switch (met) {
    case 'failed':
      return `outlast: the turn of ${name} failed: ${reply ?? 'no reason given'}`;
    case 'interrupted':
      return `outlast: the turn of ${name} was interrupted`;
    case 'dropped':
      return `outlast: the prompt was dropped before ${name} got it`;
    case 'unsure':
      return unsureText(session, prompt);
    case 'held':
      return `outlast: ${name} needs a person: ${session.held ?? 'a dialog is open'}\n${helpText(session)}`;
    case 'limited':
      return [
        `outlast: ${name} is ${limitText(session, nowMs)}; it continues automatically`,
        `  Wait for it: ${waitAgain(session, prompt)} --timeout ${throughTime(session, nowMs)}`,
        helpText(session),
      ].join('\n');
    case 'ended':
      return [
        `outlast: ${name} ended before it answered: ${stateOf(session)}`,
        ...(session.outcome?.kind === 'abandoned' ? abandonedHelp(name) : []),
      ].join('\n');
    default:
      return `outlast: timeout; ${waitingText(session, prompt)}\n  Wait again: ${waitAgain(session, prompt)}`;
  }
}

/** Its prompts are kept: a person who has found out why can let it go on. */
function abandonedHelp(name: string): readonly string[] {
  return [`  See what it printed: outlast report ${name}`, `  Try again: outlast resume ${name}`];
}

/** What an unsent prompt waits for; else that its session keeps running. */
function waitingText(session: SessionView, prompt: string | null): string {
  const why = session.prompts.find(({ id }) => id === prompt)?.waiting ?? null;
  return why === null ? `${nameOf(session)} keeps running` : `the prompt is not sent yet: ${why}`;
}

/** The unsure prompt may be another one, ahead of the caller's own. */
function unsureText(session: SessionView, prompt: string | null): string {
  const name = nameOf(session);
  const unsure = session.prompts.find(({ state }) => state === 'unsure')?.id ?? prompt;
  const isOther = unsure !== prompt;
  const which = isOther ? `the prompt ${unsure}` : 'the prompt';
  return [
    `outlast: it is not known whether ${name} received ${which}, so it is not sent again`,
    ...(isOther ? ['  Your prompt waits behind it, and is sent when that one is dropped.'] : []),
    `  See: outlast screen ${name}`,
    `  Drop it: outlast prompt ${name} --drop ${unsure}`,
  ].join('\n');
}

/** The command that waits for a reply. */
export function waitAgain(session: SessionView, prompt: string | null): string {
  return `outlast wait ${nameOf(session)} --for reply${prompt === null ? '' : `:${prompt}`}`;
}
