import type { Trouble } from '../../core/session.ts';
import type { HeardPrompt, TranscriptRead, TurnEnd } from '../seam/agent.ts';
import { spokenIn } from './spent.ts';
import { conversationState, readLines } from './transcript.ts';
import type { Entry } from './transcript-entry.ts';
import { troubleOf } from './trouble.ts';

/** What a transcript, or the end of one, says of the conversation. */
export function readTranscript(text: string): TranscriptRead {
  const { entries } = readLines(text);
  const main = entries.filter((entry) => entry.sidechain === null && entry.is !== 'noise');
  // Without a message Claude Code knows no such conversation, whatever else the file holds.
  return { isBegun: main.some(isOfTurn), prompts: heardPrompts(main), spoken: spokenIn(entries) };
}

function heardPrompts(main: readonly Entry[]): HeardPrompt[] {
  const begins = main.flatMap((entry, i) => (entry.is === 'prompt' && entry.how === 'typed' ? [i] : []));
  return main.flatMap((entry, i): HeardPrompt[] => {
    if (entry.is !== 'prompt') return [];
    const { text, mark, atMs, how } = entry;
    switch (how) {
      case 'kept':
        return [{ text, mark, atMs, isSteered: true, turn: 'open', reply: '' }];
      case 'typed':
      case 'steering': {
        const until = begins.find((begin) => begin > i) ?? main.length;
        // What was steered into a turn ends with it, so both are judged by the same records.
        const from = begins.findLast((begin) => begin <= i) ?? i;
        return [{ text, mark, atMs, isSteered: how === 'steering', ...turnEnd(main.slice(from, until)) }];
      }
      default:
        return [];
    }
  });
}

/** Are these the same text? On its way into the box or through standard input it is changed in these ways. */
export function isSameText(sent: string, heard: string): boolean {
  return bare(sent) === bare(heard) || bare(withoutSequences(sent)) === bare(withoutSequences(heard));
}

/** `[Pasted text #2 +7 lines]`: the number counts line feeds. One long line is shown without it. */
export function isPlaceholder(draft: string, text: string): boolean {
  const shown = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (shown === null) return false;
  const feeds = bare(text).split('\n').length - 1;
  return shown[1] === undefined ? feeds <= 2 : Number(shown[1]) === feeds;
}

/** A text without what does not get through: control and invisible characters go, tabs are blanks, the end is cut. */
export function bare(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\t', '    ')
    .replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '')
    .trim();
}

/** Claude Code takes whole escape sequences out; a paste of ours only the character that begins one. */
function withoutSequences(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]/g, '');
}

function turnEnd(entries: readonly Entry[]): TurnEnd {
  const { is, why, reply } = conversationState(entries);
  if (is === 'complete') return { turn: 'closed', reply: reply ?? '' };
  if (is === 'failed' || is === 'limited') return { turn: 'failed', reply: why, trouble: lastTrouble(entries) };
  const last = entries.findLast(isOfTurn)?.is;
  return { turn: last === 'interrupted' || last === 'deferred' ? last : 'open', reply: reply ?? '' };
}

function lastTrouble(entries: readonly Entry[]): Trouble {
  const last = entries.findLast((entry) => entry.is === 'reply' && entry.error !== null);
  if (last?.is !== 'reply') return { kind: 'other' };
  const text = last.blocks.flatMap((block) => (block.is === 'text' ? [block.text] : [])).join('\n');
  return troubleOf({ error: last.error, text }, last.atMs ?? 0);
}

function isOfTurn(entry: Entry): boolean {
  return entry.is !== 'noise' && entry.is !== 'unreadable' && !(entry.is === 'prompt' && entry.how === 'kept');
}
