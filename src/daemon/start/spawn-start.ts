import type { HandlerInput } from '../../api/contract.ts';
import type { SpawnInput } from '../../api/spawn-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Owner, SpawnLimits } from '../../core/ownership.ts';
import type { Budget, Session, SessionId } from '../../core/session.ts';
import type { FromSchedule } from '../../core/spec.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Config } from '../config/schema.ts';
import { inheritGate } from '../gate/inherit-gate.ts';
import { depthOf } from '../owners/owners.ts';
import { overdrawn } from '../owners/tree-budget.ts';
import type { ReadImage } from './images.ts';

/** A start whose owner is known, and whose images are read. */
export type OwnedStart = HandlerInput<'session.start'> & {
  readonly ownerId?: SessionId;
  /** The schedule that starts it. */
  readonly schedule?: FromSchedule;
  /** The images of its first prompt; missing: it has none. */
  readonly readImages?: readonly ReadImage[];
};

interface SpawnParts {
  readonly journal: Pick<Journal, 'find' | 'tree' | 'live' | 'session'>;
  readonly config: Pick<Config, 'spawn' | 'gate'>;
}

const INSTEAD = 'use `outlast start`, or session_start over MCP';

/** The settings that a start inside a session inherits from it. */
export function inherited(
  { config }: SpawnParts,
  input: HandlerInput<'session.start'>,
  owner: Session | null,
): OwnedStart {
  if (owner === null) {
    if (input.child?.demand) throw refused(`spawn works only inside an Outlast session; ${INSTEAD}`);
    return input;
  }
  const isAgent = input.argv === undefined && input.shell === undefined;
  if (owner.removed) throw refused(`${nameOf(owner)} was removed; its leftover processes cannot start sessions`);
  return { ...input, ownerId: owner.id, ...(isAgent && inheritGate(owner, input, config.gate)) };
}

/** The owner and limits of a session that another one starts, if it may; and those of one without an owner. */
export function ownership(parts: SpawnParts, input: OwnedStart, agent: string | null): Owned {
  const { ownerId, child } = input;
  const session = ownerId === undefined ? undefined : parts.journal.find(ownerId)?.session;
  const own = agent === null ? {} : { spawn: limitsOf(parts.config, input.spawn ?? {}) };
  if (session === undefined) return own;
  const owner: Owner = {
    session: session.id,
    root: session.owner?.root ?? session.id,
    depth: depthOf(session) + 1,
    wake: child?.wake ?? false,
    onEnd: child?.onEnd ?? 'keep',
    isRemoved: child?.cleanup === 'delete',
  };
  if (agent === null) return { owner };
  const limits = session.spec.spawn ?? limitsOf(parts.config, {});
  refuseBeyond(parts, session, limits, agent);
  if (input.spawn?.budget !== undefined)
    throw refused('a tree of sessions has one budget, set for its root; --budget-usd limits one session of it');
  return { owner, spawn: narrower(limits, input.spawn ?? {}) };
}

/** A session that a session resumes counts as started by it. It cannot resume what needs a person. */
export function refuseResume(parts: SpawnParts, me: Session, target: Session): void {
  const owner = target.owner === null ? undefined : parts.journal.find(target.owner.session)?.session;
  if (me.id === target.id || owner === undefined)
    throw refused(`${nameOf(me)} cannot resume ${nameOf(target)}; a person can`);
  const limits = owner.spec.spawn ?? limitsOf(parts.config, {});
  if (target.phase.at === 'ended') refuseBeyond(parts, owner, limits, target.spec.agent);
  const why = overdrawn(parts.journal, owner, limits);
  if (why !== null) throw refused(why);
}

interface Owned {
  readonly owner?: Owner;
  readonly spawn?: SpawnLimits;
}

function refuseBeyond({ journal }: SpawnParts, owner: Session, limits: SpawnLimits, agent: string): void {
  const name = nameOf(owner);
  const depth = depthOf(owner);
  if (depth >= limits.depthMax)
    throw refused(`${name} may not start sessions at its depth (current depth: ${depth}, max: ${limits.depthMax})`);
  const isChild = (id: SessionId): boolean => {
    const session = journal.find(id)?.session;
    return session?.owner?.session === owner.id && session.spec.drive !== 'command';
  };
  const children = journal.live().filter(isChild).length;
  if (children >= limits.childrenMax)
    throw refused(
      `${name} has its maximum of live sessions (${children}/${limits.childrenMax}); stop one, or wait until one ends`,
    );
  const isAllowed = limits.agents.some((each) => each === '*' || each.toLowerCase() === agent.toLowerCase());
  if (!isAllowed)
    throw refused(`${name} may not start the agent ${agent} (allowed: ${limits.agents.join(', ') || 'none'})`);
  const why = overdrawn(journal, owner, limits);
  if (why !== null) throw refused(why);
}

function limitsOf({ spawn }: SpawnParts['config'], asked: SpawnInput): SpawnLimits {
  return {
    depthMax: asked.depthMax ?? spawn.depthMax,
    childrenMax: asked.childrenMax ?? spawn.childrenMax,
    agents: asked.agents ?? spawn.agents,
    chainMax: asked.chainMax ?? spawn.chainMax,
    budget: {
      turns: bound(asked.budget?.turns ?? spawn.budget.turns),
      tokens: bound(asked.budget?.tokens ?? spawn.budget.tokens),
      usd: bound(asked.budget?.usd ?? spawn.budget.usd),
    },
  };
}

/** The limits for a child: those of its owner, or less. The budget belongs to the tree and is kept at the root. */
function narrower(limits: SpawnLimits, asked: SpawnInput): SpawnLimits {
  const isAny = limits.agents.includes('*');
  return {
    depthMax: Math.min(limits.depthMax, asked.depthMax ?? limits.depthMax),
    childrenMax: Math.min(limits.childrenMax, asked.childrenMax ?? limits.childrenMax),
    agents: asked.agents?.filter((each) => isAny || limits.agents.includes(each)) ?? limits.agents,
    chainMax: Math.min(limits.chainMax, asked.chainMax ?? limits.chainMax),
    budget: limits.budget,
  };
}

/** In the API 0 means no limit. */
function bound(number: number): Budget['turns'] {
  return number === 0 ? null : number;
}

function refused(message: string): OutlastError {
  return new OutlastError('spawn_refused', message);
}
