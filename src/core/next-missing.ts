import type { Step } from './event.ts';
import { TRANSCRIPT, WORKSPACE } from './fold-release.ts';
import { nextFound, nextUnfound } from './next-search.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append } from './steps.ts';

const HELP = [
  'Put it back, then: outlast resume.',
  'To start a new conversation instead, without this history: outlast resume --start-fresh.',
  'Or stop it',
].join(' ');

/** What a run needs: its workspace, and the conversation that it continues. */
export function nextMissing(s: Session, snapshot: Snapshot): Step | null {
  return (
    workspaceMissing(s, snapshot) ??
    nextFound(s, snapshot) ??
    nextUnfound(s, snapshot) ??
    conversationMissing(s, snapshot)
  );
}

/** It may come back: a disk that is not mounted yet, a branch that is checked out elsewhere. */
function workspaceMissing(s: Session, { workspaceGone }: Snapshot): Step | null {
  if (s.spec.drive === 'command' || workspaceGone !== true) return null;
  const help = 'Put it back, then: outlast resume. Or stop it';
  const text = `its folder ${s.spec.workspace} is gone or cannot be entered. ${help}`;
  return append({ type: 'session.held', run: runOf(s), why: { kind: WORKSPACE, text, needsResume: true } });
}

/** A conversation was started and cannot be found: no new one replaces it until a person says so. */
function conversationMissing(s: Session, { transcript: { exists, place } }: Snapshot): Step | null {
  if (s.conversation.written !== 'yes' || exists || place === undefined) return null;
  const text = `its conversation is gone: ${place} is missing, empty or unreadable. ${HELP}`;
  return append({ type: 'session.held', run: runOf(s), why: { kind: TRANSCRIPT, text, needsResume: true } });
}
