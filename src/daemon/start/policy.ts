import type { PolicyInput, PolicyView } from '../../api/policy-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { AGENT, COMMAND } from '../../core/policy.ts';
import type { Policy } from '../../core/session.ts';
import type { Config } from '../config/schema.ts';

type Asked = PolicyInput | undefined;
type Default = Config['policy'];

/** The policy fields of a request. */
interface Wanted {
  readonly policy?: Asked;
  readonly keepOpen: boolean;
}

/** The policy of an agent: from its caller, else from the config. It is fixed from here on. */
export function agentPolicy({ policy: asked, keepOpen }: Wanted, config: Pick<Config, 'policy'>): Policy {
  const base = config.policy;
  return {
    ...AGENT,
    // A session that stays open waits for people, who may come back next week.
    deadlineMsMax: bound(asked?.deadlineMsMax ?? (keepOpen ? 0 : base.deadlineMsMax)),
    onLimit: asked?.onLimit ?? base.onLimit,
    switchBack: asked?.switchBack ?? base.switchBack,
    memoryBytesMax: bound(asked?.memoryBytesMax ?? base.memoryBytesMax),
    approvalMsMax: bound(asked?.approvalMsMax ?? base.approvalMsMax),
    deferMs: asked?.deferMs ?? base.deferMs,
    startMsMax: asked?.startMsMax ?? base.startMsMax,
    acceptMsMax: asked?.acceptMsMax ?? base.acceptMsMax,
    idleMsMax: bound(asked?.idleMsMax ?? base.idleMsMax),
    ...resumesOf(asked, base),
    ...hangOf(asked, base),
    budget: {
      turns: bound(asked?.budget?.turns ?? base.budget.turns),
      tokens: bound(asked?.budget?.tokens ?? base.budget.tokens),
      usd: bound(asked?.budget?.usd ?? base.budget.usd),
    },
  };
}

/** The policy of a command. It has no turns and is never restarted: only time and memory can be limited. */
export function commandPolicy(asked: Asked): Policy {
  const { deadlineMsMax, memoryBytesMax, ...others } = asked ?? {};
  const [first] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (first !== undefined) throw invalid(`the policy ${first} is for agents, not for commands`);
  return { ...COMMAND, deadlineMsMax: bound(deadlineMsMax ?? 0), memoryBytesMax: bound(memoryBytesMax ?? 0) };
}

/** The policy in the API. */
export function viewOfPolicy(policy: Policy): PolicyView {
  const { thinkMsMax = policy.silenceMsMax, toolMsMax = thinkMsMax, interruptMsMax = 0 } = policy;
  const { resumesMax, resumesWindowMax = resumesMax, resumesWindowMs = 0 } = policy;
  return {
    deadlineMsMax: policy.deadlineMsMax ?? null,
    onLimit: policy.onLimit ?? 'wait',
    switchBack: policy.switchBack ?? false,
    memoryBytesMax: policy.memoryBytesMax ?? null,
    approvalMsMax: policy.approvalMsMax,
    deferMs: policy.deferMs ?? 0,
    startMsMax: policy.startMsMax,
    acceptMsMax: policy.acceptMsMax,
    idleMsMax: policy.idleMsMax ?? null,
    resumes: { max: resumesMax, windowMax: resumesWindowMax, windowMs: resumesWindowMs },
    backoff: { msMin: policy.backoffMsMin, msMax: policy.backoffMsMax },
    hang: { thinkMsMax, toolMsMax, interruptMsMax },
    budget: { ...(policy.budget ?? { turns: null, tokens: null, usd: null }) },
  };
}

function resumesOf(asked: Asked, base: Default) {
  const { max, windowMax, windowMs } = { ...base.resumes, ...known(asked?.resumes) };
  const { msMin, msMax } = { ...base.backoff, ...known(asked?.backoff) };
  return {
    resumesMax: max,
    resumesWindowMax: windowMax,
    resumesWindowMs: windowMs,
    backoffMsMin: msMin,
    backoffMsMax: msMax,
  };
}

function hangOf(asked: Asked, base: Default) {
  return { ...base.hang, ...known(asked?.hang) };
}

/** Removes undefined fields. */
function known<T extends object>(part: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(part ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** In the API 0 means no limit. */
function bound(number: number): number | null {
  return number === 0 ? null : number;
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
