import type { PermissionOption, RequestPermissionOutcome, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ApprovalView, DecideOptions } from '../client/index.ts';
import type { Action } from '../core/rules/action.ts';
import { diffsIn } from './diff.ts';
import { kindOf, textContent } from './tool-call.ts';

const TITLE_CHARS_MAX = 120;

/** The tool call of an approval, as an editor shows it. */
export function askedCall(approval: ApprovalView): ToolCallUpdate & { title: string } {
  const { id, call, tool, input, why, workspace, diff, actions = [] } = approval;
  const diffs = diff === null ? [] : diffsIn(diff, workspace).map((each) => ({ type: 'diff' as const, ...each }));
  return {
    toolCallId: call ?? id,
    title: titleOf(tool, actions),
    name: tool,
    kind: kindOf(actions.map(({ is }) => ({ is }) as Action)),
    status: 'pending',
    content: [...diffs, ...(diff !== null && diffs.length === 0 ? textContent(diff) : []), ...textContent(why)],
    locations: actions.flatMap(({ is, text }) => (is === 'write' && text !== '' ? [{ path: text }] : [])),
    rawInput: input,
  };
}

/** The answers that a person may give. */
export function optionsFor({ rule }: Pick<ApprovalView, 'rule'>): PermissionOption[] {
  const once: PermissionOption = { optionId: 'allow', name: 'Allow', kind: 'allow_once' };
  const name = `Allow ${rule} for this session`;
  const kept: PermissionOption[] = rule === null ? [] : [{ optionId: 'session', name, kind: 'allow_always' }];
  return [once, ...kept, { optionId: 'deny', name: 'Deny', kind: 'reject_once' }];
}

/** The decision that an answer means; null: none. */
export function decisionOf(
  outcome: RequestPermissionOutcome | null,
): { readonly allow: boolean; readonly options: DecideOptions } | null {
  if (outcome?.outcome !== 'selected') return null;
  switch (outcome.optionId) {
    case 'allow':
      return { allow: true, options: {} };
    case 'session':
      return { allow: true, options: { keep: 'session' } };
    case 'deny':
      return { allow: false, options: {} };
    default:
      return null;
  }
}

function titleOf(tool: string, [first]: readonly { readonly is: string; readonly text: string }[]): string {
  const text = (first?.text ?? '').split('\n')[0] ?? '';
  const line = text === '' ? tool : first?.is === 'shell' ? text : `${tool}: ${text}`;
  return line.length > TITLE_CHARS_MAX ? `${line.slice(0, TITLE_CHARS_MAX - 1)}…` : line;
}
