import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import { asSent } from './prompt-text.ts';

/** What a hook of Claude Code reported. */
export type HookReport = HookOrigin & HookMeaning;

/** Where a hook was called from. */
export interface HookOrigin {
  /** The id of the conversation. It changes with /clear and with a fork: always use the latest. */
  readonly conversation: string | null;
  /** The current path of the transcript. It changes when the agent enters a worktree: never construct it. */
  readonly transcript: string | null;
  readonly cwd: string | null;
  /** Claude Code's own id of the prompt that this belongs to. */
  readonly promptId: string | null;
  readonly mode: string | null;
  /** The sub-agent that called; null for the agent itself. */
  readonly subAgent: { readonly id: string; readonly type: string | null } | null;
}

/** The kinds of reports. An error in the payload leaves a field null or empty; it never hides the report. */
export type HookMeaning =
  | { readonly is: 'started'; readonly source: string; readonly model: string | null }
  | { readonly is: 'prompted'; readonly text: string }
  | { readonly is: 'expanded'; readonly command: string; readonly text: string }
  | ({ readonly is: 'tool.asked' } & ToolReport)
  | ({ readonly is: 'tool.ended'; readonly output: unknown; readonly tookMs: number | null } & ToolReport)
  | ({
      readonly is: 'tool.failed';
      readonly error: string;
      readonly interrupted: boolean;
      readonly tookMs: number | null;
    } & ToolReport)
  | { readonly is: 'tools.ended'; readonly ids: readonly string[] }
  | ({ readonly is: 'approval.asked' } & ToolReport)
  | ({ readonly is: 'approval.denied'; readonly reason: string } & ToolReport)
  | { readonly is: 'notified'; readonly kind: string; readonly text: string }
  | { readonly is: 'said'; readonly text: string; readonly final: boolean }
  | { readonly is: 'stopped'; readonly reply: string; readonly again: boolean; readonly background: number }
  | { readonly is: 'stop.failed'; readonly error: string; readonly text: string }
  | { readonly is: 'compacting'; readonly trigger: string }
  | { readonly is: 'compacted'; readonly trigger: string; readonly summary: string }
  | { readonly is: 'subagent.started' }
  | { readonly is: 'subagent.stopped'; readonly reply: string; readonly ownTranscript: string | null }
  | { readonly is: 'model.switching' | 'model.switched'; readonly from: string | null; readonly to: string | null }
  | { readonly is: 'moved'; readonly from: string | null; readonly to: string | null }
  | { readonly is: 'todo.created' | 'todo.completed'; readonly id: string | null; readonly subject: string }
  | { readonly is: 'settings.changed'; readonly source: string; readonly path: string | null }
  | { readonly is: 'ended'; readonly reason: string }
  | { readonly is: 'other'; readonly event: string };

/** The tool call that a report is about. The question whether a tool may run has no call id. */
export interface ToolReport {
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
}

type Reader = (fields: Fields) => HookMeaning;

const READERS: Readonly<Record<string, Reader>> = {
  SessionStart: (f) => ({ is: 'started', source: word(f.source), model: asText(f.model) }),
  UserPromptSubmit: (f) => ({ is: 'prompted', text: asSent(text(f.prompt)) }),
  UserPromptExpansion: (f) => ({ is: 'expanded', command: text(f.command_name), text: text(f.prompt) }),
  PreToolUse: (f) => ({ is: 'tool.asked', ...tool(f) }),
  PostToolUse: (f) => ({
    is: 'tool.ended',
    ...tool(f),
    output: f.tool_response ?? null,
    tookMs: asNumber(f.duration_ms),
  }),
  PostToolUseFailure: (f) => ({
    is: 'tool.failed',
    ...tool(f),
    error: text(f.error),
    interrupted: f.is_interrupt === true,
    tookMs: asNumber(f.duration_ms),
  }),
  PostToolBatch: (f) => ({ is: 'tools.ended', ids: asList(f.tool_calls).flatMap(idOf) }),
  PermissionRequest: (f) => ({ is: 'approval.asked', ...tool(f) }),
  PermissionDenied: (f) => ({ is: 'approval.denied', ...tool(f), reason: text(f.reason) }),
  Notification: (f) => ({ is: 'notified', kind: word(f.notification_type), text: text(f.message) }),
  MessageDisplay: (f) => ({ is: 'said', text: text(f.delta), final: f.final === true }),
  Stop: (f) => ({
    is: 'stopped',
    reply: text(f.last_assistant_message),
    again: f.stop_hook_active === true,
    background: asList(f.background_tasks).length,
  }),
  StopFailure: (f) => ({ is: 'stop.failed', error: word(f.error), text: text(f.last_assistant_message) }),
  PreCompact: (f) => ({ is: 'compacting', trigger: word(f.trigger) }),
  PostCompact: (f) => ({ is: 'compacted', trigger: word(f.trigger), summary: text(f.compact_summary) }),
  SubagentStart: () => ({ is: 'subagent.started' }),
  SubagentStop: (f) => ({
    is: 'subagent.stopped',
    reply: text(f.last_assistant_message),
    ownTranscript: asText(f.agent_transcript_path),
  }),
  PreModelSwitch: (f) => ({ is: 'model.switching', from: asText(f.from_model), to: asText(f.to_model) }),
  PostModelSwitch: (f) => ({ is: 'model.switched', from: asText(f.from_model), to: asText(f.to_model) }),
  CwdChanged: (f) => ({ is: 'moved', from: asText(f.old_cwd), to: asText(f.new_cwd) }),
  TaskCreated: (f) => ({ is: 'todo.created', id: asText(f.task_id), subject: text(f.task_subject) }),
  TaskCompleted: (f) => ({ is: 'todo.completed', id: asText(f.task_id), subject: text(f.task_subject) }),
  ConfigChange: (f) => ({ is: 'settings.changed', source: word(f.source), path: asText(f.file_path) }),
  SessionEnd: (f) => ({ is: 'ended', reason: word(f.reason) }),
  ...Object.fromEntries(
    ['InstructionsLoaded', 'FileChanged', 'DirectoryAdded', 'Setup', 'TeammateIdle'].map((event) => [
      event,
      (): HookMeaning => ({ is: 'other', event }),
    ]),
  ),
};

/** Parses the payload of a hook. Null when it is malformed or its event is unknown to this version. */
export function readHook(raw: unknown): HookReport | null {
  const fields = asFields(raw);
  const event = asText(fields?.hook_event_name);
  if (fields === null || event === null || !Object.hasOwn(READERS, event)) return null;
  const meaning = READERS[event]?.(fields);
  return meaning === undefined ? null : { ...originOf(fields), ...meaning };
}

function originOf(fields: Fields): HookOrigin {
  const id = asText(fields.agent_id);
  return {
    conversation: asText(fields.session_id),
    transcript: asText(fields.transcript_path),
    cwd: asText(fields.cwd),
    promptId: asText(fields.prompt_id),
    mode: asText(fields.permission_mode),
    subAgent: id === null ? null : { id, type: asText(fields.agent_type) },
  };
}

function tool(fields: Fields): ToolReport {
  return { id: asText(fields.tool_use_id), name: word(fields.tool_name), input: fields.tool_input ?? null };
}

function idOf(value: unknown): string[] {
  const id = asText(asFields(value)?.tool_use_id);
  return id === null ? [] : [id];
}

function text(value: unknown): string {
  return asText(value) ?? '';
}

/** A value of a fixed list. A missing value becomes a word that is on no such list. */
function word(value: unknown): string {
  return asText(value) ?? 'unknown';
}
