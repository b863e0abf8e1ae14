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

/** The text for `--settings` that makes Claude Code run one command, by its path, for each event we observe. */
export function hookSettings(commandPath: string): string {
  const hook = { type: 'command', command: quoted(commandPath), timeout: HOOK_SECONDS_MAX };
  return JSON.stringify({ hooks: Object.fromEntries(OBSERVED_HOOKS.map((event) => [event, [{ hooks: [hook] }]])) });
}

/** Claude Code gives the command to a shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
