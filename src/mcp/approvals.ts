import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import type { ApprovalView } from '../api/contract-approvals.ts';
import { ROUTES } from '../api/routes.ts';
import { durationText } from '../present/duration.ts';
import { nameOf } from '../present/state.ts';
import { asData, DATA_CHARS_MAX, firstOf, linesThatFit } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { oneLine } from './words.ts';

const { session } = CONTRACT['approval.list'].input.shape;
const { which, allow, why, edit, keep, rule } = CONTRACT['approval.decide'].input.shape;
const INPUT_CHARS_MAX = 2_000;

/** `approval_list`: tool calls that wait for approval. */
export const approvalList = tool({
  name: 'approval_list',
  title: 'List pending approvals',
  description: `${ROUTES['approval.list'].sentence} approval_decide decides one of them.`,
  grants: ['read'],
  operations: ['approval.list'],
  input: {
    ...strictly({ session }),
    which: z.string().optional().describe('Only this one, with its full input.'),
  },
  async run({ which, ...input }, { outlast, signal }) {
    const all = await outlast.approvals.list(input, signal);
    const approvals = which === undefined ? all : all.filter(({ id }) => id === which);
    if (approvals.length === 0) {
      const text = which === undefined ? 'No pending approvals.' : `${oneLine(which)} is not pending.`;
      return { text, details: { approvals } };
    }
    const lines = linesThatFit(
      approvals.map((each) => lineOf(each, which === undefined ? INPUT_CHARS_MAX : DATA_CHARS_MAX)),
    );
    const isCut = which === undefined && approvals.some(({ input }) => textOf(input).length > INPUT_CHARS_MAX);
    const missing = [
      ...(isCut ? ['[some inputs are cut: approval_list which=ID has the full one]'] : []),
      ...(lines.length < approvals.length ? [`[only ${lines.length} of ${approvals.length}: give a session]`] : []),
    ];
    return { text: [...missing, asData(lines.join('\n'), 'the pending approvals')].join('\n'), details: { approvals } };
  },
});

/** `approval_decide`: decides an approval, once. */
export const approvalDecide = tool({
  name: 'approval_decide',
  title: 'Decide an approval',
  description: `${ROUTES['approval.decide'].sentence} A caller cannot decide about its own session.`,
  grants: ['approve'],
  operations: ['approval.decide'],
  input: strictly({ which, allow, why, edit, keep, rule }),
  async run({ which, allow, ...options }, { outlast, signal }) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const { decided, rule } = await outlast.approvals.decide(which, allow, { by: 'mcp', ...given }, signal);
    const done = decided.map(({ approval, tool }) => `${approval} (${oneLine(tool)})`).join(', ');
    const made = rule === null ? '' : ` The rule is now: ${oneLine(rule)}`;
    return { text: `${allow ? 'Allowed' : 'Denied'}: ${done}.${made}`, details: { decided, rule } };
  },
});

function textOf(input: unknown): string {
  return JSON.stringify(input) ?? '';
}

function lineOf({ id, session, name, tool, input, leftMs, why }: ApprovalView, charsMax: number): string {
  const left = leftMs === null ? 'waits without a timeout' : `${durationText(leftMs)} left`;
  const { text, leftOutChars } = firstOf(textOf(input), charsMax);
  const shown = leftOutChars > 0 ? `${text}… (${leftOutChars} more characters)` : text;
  return `${id} ${nameOf({ name, id: session })}: ${oneLine(tool)} ${shown} [${left}; ${oneLine(why)}]`;
}
