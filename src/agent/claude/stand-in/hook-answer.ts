import type { HookCommand, HookEnd } from './hook-run.ts';
import { type Fields, fieldsOf, readJson, textOf } from './json.ts';

/** The combined decision of the hooks of one event. A denial overrides everything else. */
export interface HookAnswer {
  readonly decision: 'none' | 'allow' | 'ask' | 'defer' | 'deny';
  readonly reason: string;
  readonly input: Fields | null;
  /** The denial comes from how the hook exited, not from what it printed. */
  readonly isError: boolean;
  /** The texts to add to the model's context. */
  readonly contexts: readonly string[];
}

/** An answer that decides nothing. */
export const NONE: HookAnswer = { decision: 'none', reason: '', input: null, isError: false, contexts: [] };

const STRENGTH = ['none', 'allow', 'ask', 'defer', 'deny'];

/** The words for a decision, by event. Other events have none. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['allow', 'deny', 'ask', 'defer'],
  PermissionRequest: ['allow', 'deny'],
};

/** The stronger of two answers, with the contexts of both. */
export function stronger(a: HookAnswer, b: HookAnswer): HookAnswer {
  const one = STRENGTH.indexOf(b.decision) > STRENGTH.indexOf(a.decision) ? b : a;
  return { ...one, contexts: [...a.contexts, ...b.contexts] };
}

/** Parses the result of a hook. `isOld`: onFailure is unknown, and output before a failure counts. */
export function answerOf(hook: HookCommand, end: HookEnd, event: string, isOld: boolean): HookAnswer {
  if (end.status === 2) return failed(hook, end.stderr);
  const read = end.status === 0 || isOld ? readOutput(end.stdout.trim(), event) : null;
  if (typeof read === 'object' && read !== null) return read;
  // After any other failure of a hook the agent continues without its answer.
  if (isOld || hook.onFailure !== 'block') return NONE;
  const why = end.late ? 'timed out' : 'failed';
  const more = end.late ? '' : `\n${read ?? (end.stderr.trim() || 'No stderr output')}`;
  return failed(hook, `${why}; blocking because onFailure is "block"${more}`);
}

/** Parses the output of a hook, or returns what is wrong with it. Output that is not JSON is not an answer. */
function readOutput(said: string, event: string): HookAnswer | string {
  if (!said.startsWith('{') || !said.endsWith('}')) return NONE;
  const output = readJson(said);
  if (output === null) return 'Hook output looks like a JSON object but is not valid JSON';
  return decisionOf(fieldsOf(output), event);
}

function decisionOf(output: Fields, event: string): HookAnswer | string {
  if (output.decision === 'block') return said('deny', textOf(output.reason) ?? '');
  if (output.decision === 'approve') return said('allow', textOf(output.reason) ?? '');
  if (!('hookSpecificOutput' in output)) return NONE;
  const specific = fieldsOf(output.hookSpecificOutput);
  const name = textOf(specific.hookEventName);
  if (name === null) return 'Hook JSON output validation failed — hookSpecificOutput has no "hookEventName"';
  if (name !== event) return `Hook returned incorrect event name: expected '${event}' but got '${name}'`;
  const asked = fieldsOf(specific.decision);
  const word = textOf(specific.permissionDecision) ?? textOf(asked.behavior);
  const context = textOf(specific.additionalContext);
  if (word === null) return context === null ? NONE : { ...NONE, contexts: [context] };
  if (!(WORDS[event] ?? []).includes(word)) return `Hook JSON output validation failed — ${word} is no decision`;
  const reason = textOf(specific.permissionDecisionReason) ?? textOf(asked.message) ?? '';
  return said(word as HookAnswer['decision'], reason, specific.updatedInput ?? asked.updatedInput);
}

function said(decision: HookAnswer['decision'], reason: string, input?: unknown): HookAnswer {
  return { decision, reason, input: input === undefined ? null : fieldsOf(input), isError: false, contexts: [] };
}

function failed(hook: HookCommand, why: string): HookAnswer {
  return { decision: 'deny', reason: `[${hook.command}]: ${why}`, input: null, isError: true, contexts: [] };
}
