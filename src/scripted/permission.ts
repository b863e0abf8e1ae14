import type { Agent, AskDialog } from './agent.ts';
import type { HookAnswer } from './hooks.ts';

/** Whether a tool may run, or why not. `stop`: a person said no, and the turn is over. */
export type Permission =
  | { readonly is: 'run' }
  | { readonly is: 'denied'; readonly text: string }
  | { readonly is: 'stop' };

const NOTICE_MS = 6_000;
const EDITING = ['Write', 'Edit'];
const ASKED = ['Bash', ...EDITING];

/** Decides about a tool call: its hook, the mode, then a person. */
export async function permissionFor(
  agent: Agent,
  dialog: AskDialog,
  pre: HookAnswer,
  signal: AbortSignal,
): Promise<Permission> {
  const { tool } = dialog;
  const { manners } = agent.parts;
  if (pre.decision === 'deny') return { is: 'denied', text: `PreToolUse:${tool} hook error: ${pre.reason}` };
  const isInterjected = manners.midDialog !== null && agent.isFirstTool;
  agent.isFirstTool = false;
  if (isInterjected || pre.decision === 'ask' || dialog.kind === 'question') return askPerson(agent, dialog, signal);
  if (pre.decision === 'allow') return { is: 'run' };
  const verdict = verdictOf(agent.parts.options.mode, tool);
  if (verdict === 'ask') return askPerson(agent, dialog, signal);
  if (verdict === 'run') return { is: 'run' };
  const why = `because Claude Code is running in don't ask mode.`;
  return { is: 'denied', text: `Permission to use ${tool} has been denied ${why}` };
}

function verdictOf(mode: string, tool: string): 'run' | 'ask' | 'deny' {
  if (mode === 'bypassPermissions' || !ASKED.includes(tool)) return 'run';
  if (mode === 'acceptEdits' && EDITING.includes(tool)) return 'run';
  return mode === 'dontAsk' ? 'deny' : 'ask';
}

/** A hook and a person are asked at the same time; the first answer wins. */
async function askPerson(agent: Agent, dialog: AskDialog, signal: AbortSignal): Promise<Permission> {
  const { tool, input } = dialog;
  agent.parts.state.set('waiting', dialog.kind === 'question' ? 'input needed' : 'permission prompt');
  const closing = new AbortController();
  const suggestions = dialog.kind === 'question' ? {} : { permission_suggestions: [] };
  const hooked = agent.hook('PermissionRequest', { tool_name: tool, tool_input: input, ...suggestions }, tool);
  const person = agent.face.ask(dialog, AbortSignal.any([signal, closing.signal]));
  void agent.notify(NOTICE_MS, closing.signal, 'permission_prompt', 'Claude needs your permission');
  const said = await Promise.race([
    hooked.then(({ decision }) => (decision === 'none' || decision === 'ask' ? person : decision)),
    person.then((answer) => (answer === 'nobody' ? hooked.then((one) => one.decision) : answer)),
  ]);
  closing.abort();
  agent.parts.state.set('busy');
  if (said === 'yes' || said === 'allow') return { is: 'run' };
  if (said === 'no') return { is: 'stop' };
  const text = `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
  return { is: 'denied', text };
}
