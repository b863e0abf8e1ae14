import type { PermissionMode } from '../../core/session.ts';

/** Our modes in the words of Gemini CLI. In turns it has only the tools that it need not ask about. */
const WORDS: Readonly<Record<PermissionMode, string>> = {
  none: 'yolo',
  edits: 'auto_edit',
  auto: 'auto_edit',
  plan: 'plan',
  'ask-all': 'default',
  'deny-unlisted': 'default',
};

/** The word for a run without a gate. */
export function modeWord(mode: PermissionMode): string {
  return WORDS[mode];
}
