import type { PermissionMode } from '../../core/session.ts';
import type { FoundMode } from '../seam/conversations.ts';

/** What Codex lets its commands do without asking, in its own words. */
export type Sandbox = (typeof SANDBOXES)[number];

const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;

/** Our modes in the words of Codex. A run without a gate asks nobody, so the sandbox alone decides. */
const SANDBOX_OF: Readonly<Record<PermissionMode, Sandbox>> = {
  none: 'danger-full-access',
  edits: 'workspace-write',
  auto: 'workspace-write',
  'deny-unlisted': 'read-only',
  plan: 'read-only',
  'ask-all': 'read-only',
};

/** The sandbox of a run without a gate: the one that its conversation had, or that of the mode. */
export function sandboxOf(mode: PermissionMode, word: string | null): Sandbox {
  return SANDBOXES.find((each) => each === word) ?? SANDBOX_OF[mode];
}

/**
 * The mode of a conversation, by what it recorded; null: it recorded nothing. One that asked a person about every
 * command has no equal: without questions it could do more than before.
 */
export function foundMode(approval: string | null, sandbox: string | null): FoundMode | null {
  if (approval === null && sandbox === null) return null;
  const known = SANDBOXES.find((each) => each === sandbox);
  if (known === undefined || (approval !== 'never' && approval !== 'on-request'))
    return {
      lost: `its permissions cannot be kept (approval ${approval ?? 'unknown'}, sandbox ${sandbox ?? 'unknown'})`,
    };
  return { mode: known === 'danger-full-access' ? 'none' : 'ask-all', word: known };
}
