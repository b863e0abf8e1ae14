import type { Conversation } from './conversation.ts';
import type { Fields } from './json.ts';

type Part = 'prompt' | 'mode' | 'effort';

/** Which common fields each event has in addition to the id, the transcript and the folder. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  SessionStart: [],
  UserPromptSubmit: ['prompt', 'mode'],
  PreToolUse: ['prompt', 'mode', 'effort'],
  PostToolUse: ['prompt', 'mode', 'effort'],
  PostToolUseFailure: ['prompt', 'mode', 'effort'],
  PostToolBatch: ['prompt', 'mode', 'effort'],
  PermissionRequest: ['prompt', 'mode', 'effort'],
  Stop: ['prompt', 'mode', 'effort'],
  StopFailure: ['prompt', 'effort'],
  SubagentStart: ['prompt'],
  SubagentStop: ['prompt', 'mode', 'effort'],
  PreCompact: ['prompt'],
  PostCompact: ['prompt'],
  Notification: ['prompt'],
  SessionEnd: ['prompt'],
};

/** The payload of a hook: the common fields of its event, and its own. */
export function payloadOf(conversation: Conversation, event: string, fields: Fields): Fields {
  const parts = event === 'SessionStart' && fields.source === 'compact' ? ['prompt'] : (PARTS[event] ?? []);
  const { place, promptId, transcript } = conversation;
  return {
    session_id: place.id,
    transcript_path: transcript.path,
    cwd: place.cwd,
    ...(parts.includes('prompt') && promptId !== null ? { prompt_id: promptId } : {}),
    ...(parts.includes('mode') ? { permission_mode: place.mode } : {}),
    ...(parts.includes('effort') ? { effort: { level: 'high' } } : {}),
    hook_event_name: event,
    ...fields,
  };
}
