import type { Owner, SpawnLimits } from '../../core/ownership.ts';
import type { Session } from '../../core/session.ts';

// What a session should know about its owner, once, below its first prompt. It comes last, so that views that show the
// beginning of a prompt show the actual request.

const BEGIN = '\n\n[outlast] You run as a session that ';

/** The first prompt of a session that another one spawned. */
export function withNote(text: string, above: Session, owner: Owner, spawn: SpawnLimits): string {
  const name = above.spec.name === null ? above.id : `${above.id} (${above.spec.name})`;
  return [
    `${text}${BEGIN}${name} started (depth ${owner.depth}/${spawn.depthMax}).`,
    'Your reply is sent to it when your turn ends: do not poll, and do not wait for it.',
    'To send it a message before that, run: outlast tell "…"',
  ].join('\n');
}

/** The prompt without the note. */
export function withoutNote(text: string): string {
  const at = text.lastIndexOf(BEGIN);
  return at < 0 ? text : text.slice(0, at);
}
