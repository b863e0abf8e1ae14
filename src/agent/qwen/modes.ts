import type { PermissionMode } from '../../core/session.ts';

/** Our modes in the words of Qwen Code. Without a person and without a gate, what it would ask is denied. */
const WORDS: Readonly<Record<PermissionMode, string>> = {
  none: 'yolo',
  edits: 'auto-edit',
  auto: 'auto',
  plan: 'plan',
  'ask-all': 'default',
  'deny-unlisted': 'default',
};

/** The word for a run without a gate. */
export function modeWord(mode: PermissionMode): string {
  return WORDS[mode];
}
