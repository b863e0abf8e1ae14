import type { Say } from './event.ts';
import { withImages } from './image.ts';
import type { OpenCall, Prompt } from './session.ts';
import { tokenOf } from './steps.ts';

// The texts that are sent to agents.

/** The text for the agent: the prompt, or after an interruption a continuation. */
export function say(prompt: Prompt | undefined): Say | null {
  if (prompt === undefined) return null;
  const isContinued = prompt.turn > (prompt.firstTurn ?? 1) && !prompt.command;
  const text = isContinued ? continuation(prompt) : firstText(prompt);
  // A continuation has them again: the agent may have been killed before it stored them.
  return { token: tokenOf(prompt), text, ...withImages(prompt.images) };
}

/** The prompt, after what an agent that takes over has to know. */
function firstText({ text, handover }: Prompt): string {
  return handover === undefined ? text : `${handover}\n\n${text}`;
}

/** How every continuation begins. */
const INTERRUPTED = 'You were interrupted before you had finished (this is time ';

/** Did we write this text to continue a turn that was interrupted? */
export function isContinuation(text: string): boolean {
  return text.trimStart().startsWith(INTERRUPTED);
}

/** How much of the request is repeated. */
const ASKED_CHARS_MAX = 500;

/** What an interrupted agent is told: what happened, what is unknown, what the request was, and to check first. */
function continuation({ text, unknown, done = [], earlier = [], turn, unwritten }: Prompt): string {
  const isCut = text.length > ASKED_CHARS_MAX && unwritten !== true;
  const asked = isCut ? `${text.slice(0, ASKED_CHARS_MAX)}…` : text;
  const named = (head: string, calls: readonly OpenCall[]): string[] =>
    calls.length === 0 ? [] : [head, ...calls.map(({ tool, input }) => `- ${tool} ${input ?? ''}`.trimEnd())];
  return [
    `${INTERRUPTED}${turn}). Your process may have been started again.`,
    ...named('These tool calls had ended, even if you cannot see that:', unwritten ? [...earlier, ...done] : done),
    ...named('It is not known what became of these tool calls, which were running:', unknown),
    'Check what is already done before you repeat anything that has an effect; then continue where you left off.',
    'You had been asked:',
    asked,
  ].join('\n');
}
