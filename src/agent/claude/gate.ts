import type { AskedCall, HookAnswer, HookGate } from '../seam/gate.ts';
import { claudeOpeners } from './gate-openers.ts';
import { probeAnswer, probePrompt } from './gate-probe.ts';
import { readHook } from './hooks.ts';
import { seenCalls } from './seen-calls.ts';

/** How Claude Code asks before it uses a tool: by a hook, and by a second one where it would ask a person. */
export const claudeGate: HookGate = {
  asks: 'hooks',
  defers: true,
  asked: askedOf,
  answer: answerText,
  seenCalls,
  openers: claudeOpeners,
  probe: (calls) => ({ prompt: probePrompt(calls), answer: (body) => probeAnswer(calls, body) }),
};

/** The call that a hook asks about: before a tool is used, or where the agent would ask a person. */
export function askedOf(payload: unknown): AskedCall | null {
  const report = readHook(payload);
  if (report === null || (report.is !== 'tool.asked' && report.is !== 'approval.asked') || report.name === 'unknown')
    return null;
  const { id: call, name: tool, input, cwd } = report;
  return { confirms: report.is === 'approval.asked', call, tool, input, subagent: report.subAgent?.id ?? null, cwd };
}

/** The answer in Claude Code's format. Without the name of the event it would be ignored. */
export function answerText({ say, why, edit, confirms = false }: HookAnswer): string {
  if (confirms) {
    const decision = say === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: why };
    return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  }
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: say,
      permissionDecisionReason: why,
      ...(say === 'allow' && edit !== undefined ? { updatedInput: JSON.parse(edit) } : {}),
    },
  });
}
