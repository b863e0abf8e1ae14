/** What we listen to. Only events of the oldest version we support: one unknown name may void all the settings. */
export const OBSERVED_HOOKS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'CwdChanged',
] as const;

/** Without a limit of ours a hook that hangs freezes the agent for ten minutes. */
const HOOK_SECONDS_MAX = 5;

/** The text for `--settings` that makes Claude Code run one shell command for each event we observe. */
export function hookSettings(command: string): string {
  const hook = { type: 'command', command, timeout: HOOK_SECONDS_MAX };
  const hooks = Object.fromEntries(OBSERVED_HOOKS.map((event) => [event, [{ hooks: [hook] }]]));
  // The caller chose the mode that asks nobody; a dialog about it would wait for a person who is not there.
  return JSON.stringify({ skipDangerousModePermissionPrompt: true, hooks });
}
