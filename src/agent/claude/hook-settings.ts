import type { RunPlan } from '../seam/agent.ts';
import type { AskPlan } from '../seam/gate.ts';
import { contextFrame, SUBAGENT } from './context.ts';

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

/**
 * What the output of a headless run says as soon and at no cost. Every turn has these, and each costs the agent a
 * process and a wait; a tool that failed is told by its hook, because the output says so also of one that was cut off.
 */
const IN_THE_STREAM: ReadonlySet<string> = new Set(['SessionStart', 'SessionEnd', 'PreToolUse', 'PostToolUse']);

/** Without a limit of ours a hook that hangs freezes the agent for ten minutes. */
const HOOK_SECONDS_MAX = 5;

/** The events that are observed through hooks when an agent is driven so. */
export function observedHooks(drive: 'turns' | 'live'): readonly string[] {
  return drive === 'live' ? OBSERVED_HOOKS : OBSERVED_HOOKS.filter((event) => !IN_THE_STREAM.has(event));
}

/** Between the deadline of the hook that asks and the one at which Claude Code gives it up. */
const ASK_SPARE_SECONDS = 10;

/** After which something can be told to the model. */
const TELLING: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];

type More = Partial<Pick<RunPlan, 'ask' | 'tell'>>;

/**
 * The text for `--settings` that makes Claude Code run one shell command for each event we observe, others after a
 * tool, if something may be told then, and before it is used, if somebody is to be asked. It is an argument and no
 * file: Claude Code reads a file again when it changes, and its own tools could change it.
 */
export function hookSettings(command: string, drive: 'turns' | 'live', { ask = null, tell = null }: More = {}): string {
  const observed = observedHooks(drive);
  const commandOf = (event: string): string => {
    if (tell === null || !TELLING.includes(event)) return command;
    const [before, after] = contextFrame(event);
    return tell({ before, after, others: SUBAGENT, isOnly: !observed.includes(event) });
  };
  const watch = (event: string) => ({ type: 'command', command: commandOf(event), timeout: HOOK_SECONDS_MAX });
  const events = new Set([...observed, ...(tell === null ? [] : TELLING)]);
  const hooks = Object.fromEntries([...events].map((event) => [event, [{ hooks: [watch(event)] }]]));
  return JSON.stringify({
    // The caller chose the mode that asks nobody; a dialog about it would wait for a person who is not there.
    skipDangerousModePermissionPrompt: true,
    // A folder's own settings may say otherwise; ours come first.
    disableAllHooks: false,
    // Every call is one that a person would be asked about. So what our hooks do not let through, for whatever reason,
    // does not run.
    ...(ask?.strict ? { permissions: { ask: ['*'] } } : {}),
    hooks: ask === null ? hooks : { ...hooks, ...askHooks(ask) },
  });
}

function askHooks({ command, confirm, secondsMax, strict }: AskPlan): Record<string, unknown> {
  const timeout = secondsMax + ASK_SPARE_SECONDS;
  const asking = { type: 'command', command, timeout, ...(strict ? { onFailure: 'block' } : {}) };
  const confirming = { type: 'command', command: confirm, timeout, onFailure: 'block' };
  return {
    PreToolUse: [{ hooks: [asking] }],
    ...(strict ? { PermissionRequest: [{ hooks: [confirming] }] } : {}),
  };
}
