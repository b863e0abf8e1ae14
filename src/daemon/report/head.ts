import { masked } from '../../api/mask.ts';
import { unreachable } from '../../base/assert.ts';
import type { Session, Usage } from '../../core/session.ts';
import { durationText } from '../../present/duration.ts';
import { cut, oneLine } from '../views/one-line.ts';
import { withoutNote } from '../views/spawn-note.ts';
import { endText, faultText } from '../views/view.ts';

const WHY_CHARS_MAX = 400;
const PROMPT_CHARS_MAX = 100;
/** How far past the cut a text is searched for secrets. */
export const MARGIN_CHARS = 1_000;

/** The first lines of a report: the outcome in one sentence, then usage and open prompts. Secrets are masked. */
export function reportHead(session: Session, nowMs: number): string[] {
  const lines = [sentenceOf(session, nowMs)];
  if (session.spec.drive !== 'command') lines.push(effortOf(session), ...lastTurnOf(session), ...openOf(session));
  return lines;
}

/** A text on one line, masked and shortened. It is masked first: half a key does not look like a key. */
export function plain(text: string, charsMax = WHY_CHARS_MAX): string {
  return cut(masked(oneLine(text.slice(0, charsMax + MARGIN_CHARS))), charsMax);
}

/** A time for display, to the second. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Usage for display. */
export function usageText({ turns, tokens, usd }: Usage): string {
  const cost = usd === null ? 'cost unknown' : `$${usd.toFixed(2)}`;
  return `${count(turns, 'turn')}, ${count(tokens, 'token')}, ${cost}`;
}

/** A number with a noun in singular or plural. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function sentenceOf({ phase, created }: Session, nowMs: number): string {
  const took = durationText(nowMs - created.wallMs);
  switch (phase.at) {
    case 'ended':
      return `Ended after ${took}: ${endText(phase.outcome, plain)}`;
    case 'closing':
      return `Ending after ${took}: ${endText(phase.outcome, plain)}`;
    case 'held':
      return `It needs a person: ${plain(phase.why.text)}`;
    case 'limited':
      return `It waits for the end of a usage limit, until ${timeText(phase.untilMs)}.`;
    case 'recovering':
      return `It failed and will be retried: ${plain(faultText(phase.fault))}.`;
    case 'queued':
    case 'opening':
    case 'starting':
      return `About to start; requested ${took} ago.`;
    case 'idle':
      return `Idle; started ${took} ago.`;
    case 'working':
    case 'blocked':
    case 'visited':
      return `Running (${phase.at}); started ${took} ago.`;
    default:
      return unreachable(phase);
  }
}

function effortOf({ run, recovery: { resumes }, accounting: { usage } }: Session): string {
  const runs = count(run?.number ?? 0, 'run');
  return `${runs}, ${count(resumes, 'resume')} after faults; ${usageText(usage)}.`;
}

function lastTurnOf({ turn: { last } }: Session): string[] {
  if (last === null) return ['No turn was finished.'];
  const words = last.how === 'failed' ? `: ${plain(last.reply)}` : '';
  return [`Last turn: ${last.how}${words}`];
}

function openOf({ prompts }: Session): string[] {
  const [first] = prompts;
  if (first === undefined) return [];
  const more = prompts.length === 1 ? '' : ` and ${prompts.length - 1} more`;
  return [`Not answered: "${plain(withoutNote(first.text), PROMPT_CHARS_MAX)}" (${first.state})${more}`];
}
