const HEAD = 'session_id transcript_path cwd hook_event_name';
const TOOL = `${HEAD} prompt_id permission_mode effort tool_name tool_input`;
const STOP = 'stop_hook_active last_assistant_message background_tasks session_crons';

/** The keys of each hook's payload, as the real Claude Code 2.1.325 sent them. */
export const PAYLOAD_KEYS: Readonly<Record<string, readonly string[]>> = keys({
  'SessionStart.startup': `${HEAD} source`,
  'SessionStart.clear': `${HEAD} source`,
  'SessionStart.compact': `${HEAD} prompt_id source model`,
  UserPromptSubmit: `${HEAD} prompt_id permission_mode prompt`,
  PreToolUse: `${TOOL} tool_use_id`,
  PostToolUse: `${TOOL} tool_response tool_use_id duration_ms`,
  PostToolUseFailure: `${TOOL} tool_use_id error is_interrupt duration_ms`,
  'PermissionRequest.Bash': `${TOOL} permission_suggestions`,
  'PermissionRequest.AskUserQuestion': TOOL,
  PostToolBatch: `${HEAD} prompt_id permission_mode effort tool_calls`,
  Stop: `${HEAD} prompt_id permission_mode effort ${STOP}`,
  StopFailure: `${HEAD} prompt_id effort error last_assistant_message`,
  SubagentStart: `${HEAD} prompt_id agent_id agent_type`,
  SubagentStop: `${HEAD} prompt_id permission_mode agent_id agent_type effort agent_transcript_path ${STOP}`,
  PreCompact: `${HEAD} prompt_id trigger custom_instructions`,
  PostCompact: `${HEAD} prompt_id trigger compact_summary`,
  Notification: `${HEAD} prompt_id message notification_type`,
  SessionEnd: `${HEAD} prompt_id reason`,
});

/** The keys of what its tools answered. */
export const RESPONSE_KEYS: Readonly<Record<string, readonly string[]>> = keys({
  Bash: 'stdout stderr interrupted isImage noOutputExpected',
  Write: 'type filePath content structuredPatch originalFile userModified',
  Read: 'type file',
  Agent: 'isAsync status agentId description resolvedModel prompt outputFile canReadOutputFile canContinueAgent',
});

/** The hooks of a run with two commands, two files and a sub-agent, in the order in which the real one called them. */
export const SEQUENCE = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUseFailure'],
  ...['PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'SubagentStart', 'PostToolUse'],
  ...['SubagentStop', 'Stop', 'UserPromptSubmit', 'Stop', 'SessionEnd'],
];

/** The name under which a payload's keys are listed. */
export function kindOf(payload: Readonly<Record<string, unknown>>): string {
  const event = String(payload.hook_event_name);
  const kind = `${event}.${payload.source ?? payload.tool_name}`;
  return kind in PAYLOAD_KEYS ? kind : event;
}

function keys(lists: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.split(' ').sort()]));
}
