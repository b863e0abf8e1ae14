import { masked } from '../../api/mask.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';
import { cut } from '../views/one-line.ts';
import { HANDOVER, withoutHandover } from '../views/without-handover.ts';

/** Everything that an agent that takes over is told. */
export interface HandoverFacts {
  readonly from: string;
  /** Why it does not go on itself. */
  readonly why: string;
  /** The turns that the new agent does not know, oldest first. */
  readonly turns: readonly AgentTurn[];
  /** What has changed in the workspace since its last commit; null: not known. */
  readonly changes: string | null;
  /** Tool calls whose end nobody knows. */
  readonly unknown: readonly { readonly tool: string; readonly input?: string }[];
  /** A request waits for an answer; otherwise the next one does. */
  readonly isOpen: boolean;
}

/** How long a hand-over may be: a small part of what any agent reads at once. */
const CHARS_MAX = 40_000;
/** How much of that the last turns may have, whole. */
const WHOLE_CHARS_MAX = 24_000;
const PROMPT_CHARS_MAX = 400;
const REPLY_CHARS_MAX = 800;
const INPUT_CHARS_MAX = 300;

/** What an agent reads that takes over a session: who writes, what happened, what is unknown, and what to do. */
export function handoverText({ from, why, turns, changes, unknown, isOpen }: HandoverFacts): string {
  const calls = unknown.map(({ tool, input = '' }) => `- ${tool} ${cut(masked(input), INPUT_CHARS_MAX)}`.trimEnd());
  return [
    `${HANDOVER.begin} You take over work in this folder from ${from}, ${why}.`,
    'You have none of its memory; this is what is known.',
    ...(turns.length === 0 ? [] : ['# What happened so far', ...turnTexts(turns)]),
    ...(changes === null ? [] : ['# Changes in the folder since its last commit, by git', changes]),
    ...(calls.length === 0 ? [] : [`# Tool calls of ${from} whose result is unknown`, calls.join('\n')]),
    '# What to do',
    'Check what is already done before you repeat anything that has an effect; then continue from there.',
    isOpen ? HANDOVER.open : HANDOVER.next,
  ].join('\n\n');
}

/** The last turns whole, as far as they fit; those before them shortened; the first ones may be left out. */
function turnTexts(turns: readonly AgentTurn[]): string[] {
  const texts: string[] = [];
  let left = CHARS_MAX;
  let whole = WHOLE_CHARS_MAX;
  for (const turn of turns.toReversed()) {
    const full = texts.length === 0 || whole > 0 ? wholeText(turn) : '';
    const isWhole = full !== '' && full.length <= whole;
    const text = isWhole ? full : shortText(turn);
    if (text.length > left) break;
    whole = isWhole ? whole - full.length : 0;
    left -= text.length;
    texts.unshift(text);
  }
  const missing = turns.length - texts.length;
  return missing === 0 ? texts : [`(${missing} earlier ${missing === 1 ? 'turn is' : 'turns are'} left out)`, ...texts];
}

function wholeText({ agent, prompt, markdown }: AgentTurn): string {
  const request = withoutHandover(prompt);
  return `## A turn of ${agent}\n\n${masked(markdown(true).replace(prompt, () => request))}`.trimEnd();
}

function shortText({ agent, prompt, data }: AgentTurn): string {
  const request = cut(masked(withoutHandover(prompt)), PROMPT_CHARS_MAX);
  const reply = cut(masked(replyIn(data)), REPLY_CHARS_MAX);
  return [
    `## A turn of ${agent}, shortened`,
    `Asked: ${request}`,
    ...(reply === '' ? [] : [`Answered: ${reply}`]),
  ].join('\n\n');
}

/** The last text of a turn. */
function replyIn({ steps }: AgentTurn['data']): string {
  if (!Array.isArray(steps)) return '';
  const texts = steps.flatMap((step: { is?: unknown; text?: unknown }) =>
    step.is === 'text' && typeof step.text === 'string' ? [step.text] : [],
  );
  return texts.at(-1) ?? '';
}
