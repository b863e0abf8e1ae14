import type { RunPlan } from '../seam/agent.ts';
import type { AskPlan } from '../seam/gate.ts';
import { contextFrame, SUBAGENT } from './context.ts';

/** The observed events. All exist in the oldest supported version: one unknown name may invalidate all settings. */
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
 * Events that the output of a headless run reports as early, at no cost. Every turn has these events, and each hook
 * costs the agent a process and a wait. A failed tool keeps its hook: the output also reports an interrupted tool as
 * failed.
 */
const IN_THE_STREAM: ReadonlySet<string> = new Set(['SessionStart', 'SessionEnd', 'PreToolUse', 'PostToolUse']);

/** Without this limit a hook that hangs blocks the agent for ten minutes. */
const HOOK_SECONDS_MAX = 5;

/** The events that are observed through hooks in this drive. */
export function observedHooks(drive: 'turns' | 'live'): readonly string[] {
  return drive === 'live' ? OBSERVED_HOOKS : OBSERVED_HOOKS.filter((event) => !IN_THE_STREAM.has(event));
}

/** Claude Code gives up on the asking hook this long after the hook's own deadline. */
const ASK_SPARE_SECONDS = 10;

/** The events after which a text can be added to the model's context. */
const TELLING: readonly string[] = ['PostToolUse', 'PostToolUseFailure'];

type More = Partial<Pick<RunPlan, 'ask' | 'tell'>>;

/**
 * The text for `--settings` that makes Claude Code run one shell command for each observed event. Further commands run
 * after a tool, to deliver updates, and before a tool, to ask whether it may run. It is an argument and not a file:
 * Claude Code reloads a file when it changes, and its own tools could change it.
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
    // The caller chose the mode without questions; a dialog about it would wait for a person who is not there.
    skipDangerousModePermissionPrompt: true,
    // A folder's own settings may disable hooks; ours take precedence.
    disableAllHooks: false,
    // Every call requires a question to a person. So a call that our hooks do not allow, for whatever reason, does not
    // run.
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
