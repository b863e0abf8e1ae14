import type { Hold } from '../../core/session.ts';

/** The known dialogs; `other` is an unknown one. */
export type Dialog = 'trust' | 'hooks' | 'model' | 'login' | 'permission' | 'other';

const NEEDS: Readonly<Record<Dialog, string>> = {
  trust: 'Codex asks whether to trust this folder. Start it with --trust, or attach and answer.',
  hooks: 'Codex asks whether hooks of this folder may run. Attach and answer.',
  model: 'Codex offers another model, and Enter there would change its settings. Attach and answer.',
  login: 'Codex asks to log in. Attach and log in.',
  permission: 'Codex asks whether it may do something. Attach and answer.',
  other: 'An unknown dialog is open. Attach and answer it.',
};

/** Why a person is needed while this dialog is open. */
export function holdOf(dialog: Dialog): Hold {
  return { kind: dialog, ...(dialog === 'permission' && { about: 'tool' as const }), text: NEEDS[dialog] };
}
