import type { Agent, AskDialog } from './agent.ts';
import type { Caller } from './caller.ts';
import { type HookAnswer, NONE } from './hook-answer.ts';
import { isReadOnly } from './read-only.ts';

/** Whether a tool may run, or why not. `deferred`: decided later. `stop`: a person said no, and the turn ends. */
export type Permission =
  | { readonly is: 'run' }
  | { readonly is: 'denied'; readonly text: string }
  | { readonly is: 'deferred' }
  | { readonly is: 'stop' };

const NOTICE_MS = 6_000;
const EDITING = ['Write', 'Edit'];
const ASKED = ['Bash', ...EDITING];
const RUN: Permission = { is: 'run' };

/** Decides a tool call: its hook, the settings, the mode, then a person. */
export async function permissionFor(
  caller: Caller,
  dialog: AskDialog,
  pre: HookAnswer,
  signal: AbortSignal,
): Promise<Permission> {
  const { options, manners, asked } = caller.agent.parts;
  if (manners.ignoresHooks) return RUN;
  if (pre.decision === 'deny') return { is: 'denied', text: denialOf(caller.agent, dialog.tool, pre) };
  if (pre.decision === 'defer' && options.print) return { is: 'deferred' };
  const isInterjected = manners.midDialog !== null && caller.agent.isFirstTool;
  caller.agent.isFirstTool = false;
  if (isInterjected || dialog.kind === 'question') return askPerson(caller, dialog, signal);
  // Without a person, a hook that wants one asked has denied the call.
  if (pre.decision === 'ask')
    return options.print ? { is: 'denied', text: pre.reason } : askPerson(caller, dialog, signal);
  const isAsked = asked.includes('*') || asked.includes(dialog.tool);
  if (pre.decision === 'allow' && !isAsked) return RUN;
  const verdict = isAsked ? strictVerdict(options.mode) : verdictOf(options.mode, dialog);
  if (verdict === 'ask') return askPerson(caller, dialog, signal);
  if (verdict === 'run') return RUN;
  const why = `because Claude Code is running in don't ask mode.`;
  return { is: 'denied', text: `Permission to use ${dialog.tool} has been denied ${why}` };
}

/** Old versions show the hook's own text, newer ones add its origin. */
function denialOf(agent: Agent, tool: string, { reason, isError }: HookAnswer): string {
  return agent.parts.manners.ignoresOnFailure && !isError ? reason : `PreToolUse:${tool} hook error: ${reason}`;
}

function strictVerdict(mode: string): 'ask' | 'deny' {
  return mode === 'dontAsk' ? 'deny' : 'ask';
}

function verdictOf(mode: string, { tool, input }: AskDialog): 'run' | 'ask' | 'deny' {
  if (mode === 'bypassPermissions' || !ASKED.includes(tool) || isReadOnly(tool, input)) return 'run';
  if (mode === 'acceptEdits' && EDITING.includes(tool)) return 'run';
  return strictVerdict(mode);
}

/** Asks a hook and a person at the same time; the first answer wins. */
async function askPerson({ agent, marks }: Caller, dialog: AskDialog, signal: AbortSignal): Promise<Permission> {
  const { tool, input } = dialog;
  const { state, options, manners } = agent.parts;
  state.set('waiting', dialog.kind === 'question' ? 'input needed' : 'permission prompt');
  const closing = new AbortController();
  const cutting = new AbortController();
  const suggestions = dialog.kind === 'question' || options.print ? {} : { permission_suggestions: [] };
  const fields = { tool_name: tool, tool_input: input, ...suggestions, ...marks };
  const isHeard = !(options.print && manners.ignoresOnFailure);
  const hooked = isHeard
    ? agent.hook('PermissionRequest', fields, tool, AbortSignal.any([signal, cutting.signal]))
    : Promise.resolve(NONE);
  const byHook = hooked.then(permissionOf);
  const byPerson = show(agent, dialog, AbortSignal.any([signal, closing.signal]));
  void agent.notify(NOTICE_MS, closing.signal, 'permission_prompt', 'Claude needs your permission');
  const first = await Promise.race([byHook.then((one) => one ?? byPerson), byPerson.then((one) => one ?? byHook)]);
  closing.abort();
  // A yes of the person does not end the hook, a no does.
  if (first?.is === 'stop') cutting.abort();
  state.set('busy');
  const text = `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
  return first ?? { is: 'denied', text };
}

function permissionOf({ decision, reason }: HookAnswer): Permission | null {
  if (decision === 'allow') return RUN;
  return decision === 'deny' ? { is: 'denied', text: reason } : null;
}

/** Asks the person, one question after the other. Null: there is no person. */
function show(agent: Agent, dialog: AskDialog, signal: AbortSignal): Promise<Permission | null> {
  const before = agent.asking;
  const answer = (async (): Promise<Permission | null> => {
    await before;
    const said = signal.aborted ? 'no' : await agent.face.ask(dialog, signal);
    if (said === 'nobody') return null;
    return said === 'yes' ? RUN : { is: 'stop' };
  })();
  agent.asking = answer;
  return answer;
}
