import { CONTRACT } from '../api/contract.ts';
import type { ApprovalView } from '../api/contract-approvals.ts';
import { ROUTES } from '../api/routes.ts';
import { asData } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { durationOf, oneLine } from './words.ts';

const { session } = CONTRACT['approval.list'].input.shape;
const { which, allow, why, edit, keep, rule } = CONTRACT['approval.decide'].input.shape;
const INPUT_CHARS_MAX = 2_000;

/** `approval_list`: tool calls that wait for an answer. */
export const approvalList = tool({
  name: 'approval_list',
  title: 'List open questions',
  description: `${ROUTES['approval.list'].sentence} approval_decide answers one of them.`,
  grants: ['read'],
  readOnly: true,
  input: strictly({ session }),
  async run(input, { outlast, signal }) {
    const approvals = await outlast.approvals.list(input, signal);
    const lines = approvals.map(lineOf);
    const text = lines.length === 0 ? 'Nothing waits for an answer.' : asData(lines.join('\n'), 'the open questions');
    return { text, details: { approvals } };
  },
});

/** `approval_decide`: an answer, given once. */
export const approvalDecide = tool({
  name: 'approval_decide',
  title: 'Answer a question',
  description: `${ROUTES['approval.decide'].sentence} Nobody decides about the calls of the session it runs in.`,
  grants: ['approve'],
  readOnly: false,
  input: strictly({ which, allow, why, edit, keep, rule }),
  async run({ which, allow, ...options }, { outlast, signal }) {
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const { decided, rule } = await outlast.approvals.decide(which, allow, { by: 'mcp', ...given }, signal);
    const done = decided.map(({ approval, tool }) => `${approval} (${oneLine(tool)})`).join(', ');
    const made = rule === null ? '' : ` The rule is now: ${oneLine(rule)}`;
    return { text: `${allow ? 'Allowed' : 'Denied'}: ${done}.${made}`, details: { decided, rule } };
  },
});

function lineOf({ id, session, name, tool, input, leftMs, why }: ApprovalView): string {
  const left = leftMs === null ? 'waits as long as it takes' : `${durationOf(leftMs)} left`;
  const whole = JSON.stringify(input) ?? '';
  const shown = whole.length > INPUT_CHARS_MAX ? `${whole.slice(0, INPUT_CHARS_MAX)}… (cut)` : whole;
  return `${id} ${name ?? session}: ${oneLine(tool)} ${shown} [${left}; ${oneLine(why)}]`;
}
