import type { Step } from './event.ts';
import { UNFOUND } from './fold-release.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, tokenOf, wait } from './steps.ts';

/** A search that decided nothing is made again after this. */
const SEARCH_AGAIN_MS = 5_000;

const HELP = [
  'Its prompt is not sent again, because the agent may have received it.',
  'To start a new conversation with that prompt: outlast resume --start-fresh.',
  'Or stop it',
].join(' ');

/** The agent ended before it named its conversation, and exactly one fits: that is taken for opened. */
export function nextFound(s: Session, { transcript: { search } }: Snapshot): Step | null {
  if (search?.is !== 'found') return null;
  const { conversation, transcript } = search;
  return append({ type: 'conversation.opened', run: runOf(s), conversation, transcript, source: 'found' });
}

/** It cannot be told whether a run that is gone received the prompt: a person decides, and nothing is sent before. */
export function nextUnfound(s: Session, snapshot: Snapshot): Step | null {
  const reason = undecided(s, snapshot);
  if (reason === null) return null;
  const text = `${reason}. ${HELP}`;
  return append({ type: 'session.held', run: runOf(s), why: { kind: UNFOUND, text, needsResume: true } });
}

/** Held for that. A source can be read again later, and another session may name the conversation that fits both. */
export function nextSearched(s: Session, snapshot: Snapshot, nowMs: number): Step {
  if (undecided(s, snapshot) !== null) return wait(nowMs + SEARCH_AGAIN_MS);
  return append({ type: 'session.released', run: runOf(s) });
}

function undecided(s: Session, { transcript }: Snapshot): string | null {
  const { search, isUnread, received } = transcript;
  if (search?.is === 'several') return `the agent ended before it named its conversation, and ${search.why}`;
  if (search?.is === 'unknown') return `the conversation that its last run began is not known: ${search.why}`;
  if (isUnread !== true || s.spec.drive !== 'turns') return null;
  const isOpen = s.prompts.some((p) => p.run > 0 && p.state === 'sending' && !received.includes(tokenOf(p)));
  return isOpen ? 'the record of its agent cannot be read' : null;
}
