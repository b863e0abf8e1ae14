import type { HeardPrompt, TurnEnd } from '../agent.ts';
import { conversationState, readLines } from './transcript.ts';
import type { Entry } from './transcript-entry.ts';

/** Every prompt that somebody gave in a transcript, and what became of its turn, oldest first. */
export function heardPrompts(text: string): HeardPrompt[] {
  const main = readLines(text).entries.filter((entry) => entry.sidechain === null);
  const begins = main.flatMap((entry, i) => (entry.is === 'prompt' && entry.how === 'typed' ? [i] : []));
  return main.flatMap((entry, i): HeardPrompt[] => {
    if (entry.is !== 'prompt' || (entry.how !== 'typed' && entry.how !== 'steering')) return [];
    const until = begins.find((begin) => begin > i) ?? main.length;
    // What was steered into a turn ends with it, so both are judged by the same records.
    const from = begins.findLast((begin) => begin <= i) ?? i;
    const { text, mark, atMs } = entry;
    return [{ text, mark, atMs, ...turnEnd(main.slice(from, until)) }];
  });
}

/** A text as Claude Code reports that it heard it: typed into its box, it is changed in these ways. */
export function asHeard(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\t', '    ')
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[@-_]?/g, '')
    .trim();
}

function turnEnd(entries: readonly Entry[]): TurnEnd {
  const { is, why, reply } = conversationState(entries);
  if (is === 'complete') return { turn: 'closed', reply: reply ?? '' };
  if (is === 'failed' || is === 'limited') return { turn: 'failed', reply: why };
  const isStopped = entries.findLast((entry) => entry.is !== 'noise')?.is === 'interrupted';
  return { turn: isStopped ? 'interrupted' : 'open', reply: reply ?? '' };
}
