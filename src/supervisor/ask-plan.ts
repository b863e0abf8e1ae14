import type { AskPlan, GateKind, HookGate } from '../agent/seam/gate.ts';
import { OutlastError } from '../base/errors.ts';
import type { Session } from '../core/session.ts';
import { askCommand, type HookPlace } from '../terminal/hook-command.ts';
import { agentOf, type WorldState } from './world-state.ts';

/** How the agent asks before it uses a tool; null: it does not have to. */
export function askPlan(
  world: WorldState,
  session: Session,
  place: Omit<HookPlace, 'program'>,
  kind: GateKind,
): AskPlan | null {
  const { conversation, policy } = session.spec;
  const gate = conversation?.gate;
  // An agent that asks in messages runs no hook of ours.
  if (gate === undefined || session.spec.drive === 'server') return null;
  const way = hookGateOf(world, session);
  const forMs = policy.approvalMsMax;
  // Our answer comes first; the hook answers by itself only if we cannot.
  const secondsMax = forMs === null ? ASK_SECONDS_MAX : Math.ceil((forMs + ASK_SPARE_MS) / 1_000);
  const strict = gate.mode === 'gate';
  const command = (confirms: boolean): string =>
    askCommand({ program: world.askProgram, ...place }, [
      String(secondsMax),
      ...[LATE, UNASKED].map((why) => way.answer({ say: strict ? 'deny' : 'allow', why, confirms })),
    ]);
  const permissionServer = kind === 'permission-server' ? world.permissionServer : null;
  return { command: command(false), confirm: command(true), secondsMax, strict, permissionServer };
}

function hookGateOf(world: WorldState, session: Session): HookGate {
  const { gate, name } = agentOf(world, session);
  if (gate?.asks !== 'hooks') throw new OutlastError('not_supported', `${name} runs no hooks that ask`);
  return gate;
}

const LATE = 'Outlast gave no answer in time: its daemon may be down.';
const UNASKED = 'Outlast could not be asked: is the disk full?';

/** How long a hook waits for an answer without a timeout. */
const ASK_SECONDS_MAX = 7 * 24 * 3_600;
const ASK_SPARE_MS = 3_000;
