import * as z from 'zod';
import { POLICY, POLICY_PARTS } from '../../api/policy-shape.ts';
import { AGENT, DEADLINE_MS } from '../../core/policy.ts';

const { bounds, resumes, backoff, hang, budget } = POLICY;
const { resumesMax: max, thinkMsMax = AGENT.silenceMsMax, toolMsMax = thinkMsMax, interruptMsMax = 0 } = AGENT;

/** The default policy of sessions, as in the config file. */
export const configPolicy = z.strictObject({
  deadlineMsMax: bounds.deadlineMsMax.default(DEADLINE_MS),
  onLimit: bounds.onLimit.default(AGENT.onLimit ?? 'wait'),
  switchBack: bounds.switchBack.default(false),
  memoryBytesMax: bounds.memoryBytesMax.default(0),
  approvalMsMax: bounds.approvalMsMax.default(AGENT.approvalMsMax ?? 0),
  deferMs: bounds.deferMs.default(AGENT.deferMs ?? 0),
  startMsMax: bounds.startMsMax.default(AGENT.startMsMax),
  acceptMsMax: bounds.acceptMsMax.default(AGENT.acceptMsMax),
  idleMsMax: bounds.idleMsMax.default(AGENT.idleMsMax ?? 0),
  resumes: z
    .strictObject({
      max: resumes.max.default(max),
      windowMax: resumes.windowMax.default(AGENT.resumesWindowMax ?? max),
      windowMs: resumes.windowMs.default(AGENT.resumesWindowMs ?? 0),
    })
    .prefault({})
    .describe(POLICY_PARTS.resumes),
  backoff: z
    .strictObject({
      msMin: backoff.msMin.default(AGENT.backoffMsMin),
      msMax: backoff.msMax.default(AGENT.backoffMsMax),
    })
    .prefault({})
    .describe(POLICY_PARTS.backoff),
  hang: z
    .strictObject({
      thinkMsMax: hang.thinkMsMax.default(thinkMsMax),
      toolMsMax: hang.toolMsMax.default(toolMsMax),
      interruptMsMax: hang.interruptMsMax.default(interruptMsMax),
    })
    .prefault({})
    .describe(POLICY_PARTS.hang),
  budget: configBudget(budget).describe(POLICY_PARTS.budget),
});

/** A budget, as in the config file: a missing part is unlimited. */
export function configBudget({ turns, tokens, usd }: typeof POLICY.budget) {
  return z.strictObject({ turns: turns.default(0), tokens: tokens.default(0), usd: usd.default(0) }).prefault({});
}
