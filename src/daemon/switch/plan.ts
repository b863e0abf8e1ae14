import { constants } from 'node:fs';
import { checkImages, type KnownAgent, knownAgent } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { holdsIn } from '../../agent/seam/gate.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { SwitchReason } from '../../core/event-body.ts';
import { nameOf } from '../../core/name.ts';
import type { ConversationSpec, EarlierConversation, Session, Switch } from '../../core/session.ts';
import { type AgentTurn, allTurns, turnsOf } from '../../supervisor/all-turns.ts';
import { readCallerProcess } from '../../supervisor/caller-process.ts';
import { findOnPath } from '../config/config.ts';
import type { Config } from '../config/schema.ts';
import type { Gates } from '../gate/gates.ts';
import { changesIn } from '../report/git.ts';
import { choiceOf, missingOf, thinkingOf } from '../start/agent-start.ts';
import { modelOf } from '../start/model.ts';
import { checkFolder } from '../start/start.ts';
import { trustOf } from '../start/trust.ts';
import { handoverText } from './handover.ts';

/** What a switch is planned with. */
export interface SwitchParts {
  readonly config: Config;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly gates: Pick<Gates, 'demand' | 'demandAsking'>;
  readonly clock: Clock;
}

/** The agent that is to take over, and its settings. */
export interface Successor {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  /** The caller trusts the folder's own settings. */
  readonly trust: boolean;
  readonly why: SwitchReason;
}

/** How much of each conversation is read for a hand-over. */
const TRANSCRIPT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Everything that another agent needs to take over a session. Refuses one that is not installed or not trusted with the
 * folder, and behind a gate one that is not proven to obey it.
 */
export async function planSwitch(parts: SwitchParts, session: Session, wanted: Successor): Promise<Switch> {
  const { config, gates, clock } = parts;
  const agent = knownAgent(parts.agents, wanted.agent);
  if (agent.name === session.spec.agent) {
    const who = nameOf(session);
    throw new OutlastError('input_invalid', `${who} is already a session of ${agent.name}: outlast resume ${who}`);
  }
  checkFolder(session.spec.workspace, constants.R_OK | constants.X_OK);
  const { env } = readCallerProcess(config.state, session.id);
  const earlier = session.conversation.earlier?.findLast((each) => each.agent === agent.name && each.id !== null);
  missingOf(agent, { agentArgs: [...(earlier?.spec?.args ?? [])] }, env, false);
  const drive = driveAfter(agent, session);
  const images = session.prompts.flatMap((prompt) => prompt.images ?? []);
  checkImages(parts.agents, { agent: agent.name, drive }, images, false);
  const { gate } = session.spec.conversation ?? {};
  if (gate?.mode === 'watch') gates.demandAsking(agent.name, drive);
  if (gate?.mode === 'gate') await gates.demand(agent.name, drive, env.PATH ?? '');
  const { trusted } = trustOf({
    state: config.state,
    workspace: session.spec.workspace,
    ownFiles: agent.program.ownFiles,
    says: wanted.trust,
    asks: drive === 'live',
    nowMs: clock.wallMs(),
  });
  const screen = findOnPath('tmux', env.PATH) === null ? 'pty' : 'tmux';
  return {
    agent: agent.name,
    drive,
    terminal: drive === 'live' ? screen : 'pipe',
    conversation: { ...conversationOf(parts, session, agent, wanted, earlier), trusted, screen },
    ...(earlier !== undefined && { resumes: { transcript: earlier.transcript } }),
    ...(await handover(parts, session, earlier, wanted.why)),
  };
}

/** As the session was driven, where the new agent can be and its gate holds; otherwise as it can. */
function driveAfter(agent: KnownAgent, { spec }: Session): Switch['drive'] {
  const long = agent.server === undefined ? ['live' as const] : ['server' as const];
  const wanted = spec.drive === 'turns' ? ['turns' as const, ...long] : [...long, 'turns' as const];
  const isGated = spec.conversation?.gate !== undefined;
  const isHeld = (drive: Switch['drive']): boolean => agent.gate !== undefined && holdsIn(agent.gate, drive);
  const drive = wanted.find((each) => agent[each] !== undefined && (!isGated || isHeld(each)));
  if (drive !== undefined) return drive;
  const why = isGated
    ? `${agent.name} is not known to ask before every call, and this session has a gate`
    : `${agent.name} takes no prompts`;
  throw new OutlastError(isGated ? 'gate_unsafe' : 'not_supported', why);
}

/** A new conversation, or the one that this agent had before. What is for the other agent only is left out. */
function conversationOf(
  parts: SwitchParts,
  { spec }: Session,
  agent: KnownAgent,
  { model, thinking }: Successor,
  earlier: EarlierConversation | undefined,
): Omit<ConversationSpec, 'trusted' | 'screen'> & ReturnType<typeof choiceOf> {
  const { mode, gate, envNames = [] } = spec.conversation ?? {};
  const own = earlier?.spec;
  const id = earlier?.id ?? null;
  const level = thinking === undefined ? own?.thinking : thinkingOf(thinking, agent);
  return {
    ...(id === null ? choiceOf(agent, null) : { chosenBy: 'us' as const, id }),
    forkOf: null,
    model: model === undefined ? (own?.model ?? null) : modelOf(model, agent, parts),
    ...(level !== undefined && { thinking: level }),
    ...(mode !== undefined && { mode }),
    args: own?.args ?? [],
    envNames,
    after: [],
    ...(gate !== undefined && { gate }),
  };
}

const WHY: Readonly<Record<SwitchReason, string>> = {
  asked: 'which cannot continue',
  limit: 'which hit its usage limit',
  'limit-over': 'which had stood in for you while you were at your usage limit',
};

async function handover(
  { config, agents, clock }: SwitchParts,
  session: Session,
  resumed: EarlierConversation | undefined,
  why: SwitchReason,
): Promise<Pick<Switch, 'handover' | 'turns'>> {
  const { agent: from, workspace } = session.spec;
  const current = agents[from];
  const own = current === undefined ? [] : await turnsOf(config.state, session, current, TRANSCRIPT_BYTES_MAX);
  const all = await allTurns(config.state, session, agents, TRANSCRIPT_BYTES_MAX);
  const text = handoverText({
    from,
    why: WHY[why],
    turns: resumed === undefined ? all : all.slice(all.findLastIndex(({ agent }) => agent === resumed.agent) + 1),
    changes: await changesIn(workspace, clock),
    unknown: unknownCalls(session, all.at(-1)),
    isOpen: session.prompts.length > 0,
  });
  return { handover: text, turns: own.length };
}

/** Calls without a known end: those that were running when the process ended, and those without a recorded result. */
function unknownCalls(session: Session, last: AgentTurn | undefined) {
  const steps = Array.isArray(last?.data.steps) ? last.data.steps : [];
  const recorded = steps.flatMap((step: { is?: unknown; name?: unknown; input?: unknown; result?: unknown }) =>
    step.is === 'call' && step.result === null
      ? [{ tool: String(step.name), input: JSON.stringify(step.input ?? {}) }]
      : [],
  );
  const seen = [...session.turn.calls, ...session.prompts.flatMap(({ unknown }) => unknown)];
  return recorded.length > 0 ? recorded : seen;
}
