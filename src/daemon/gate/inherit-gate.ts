import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import type { HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { durationText } from '../../present/duration.ts';
import type { Config } from '../config/schema.ts';

type StartInput = HandlerInput<'session.start'>;

const STRICT = { off: 0, watch: 1, gate: 2 } as const;

/** A session is never gated less than its owner: what the owner may not do, it must not do through another session. */
export function inheritGate(
  owner: Session,
  input: StartInput,
  usual: Config['gate'],
): Pick<StartInput, 'gate' | 'policy'> {
  const held = owner.spec.conversation?.gate;
  const { gate, policy } = input;
  if (held === undefined) return { gate, policy };
  const name = nameOf(owner);
  const mode = gate.mode ?? (STRICT[usual] > STRICT[held.mode] ? usual : held.mode);
  if (STRICT[mode] < STRICT[held.mode])
    throw refused(`${name} is behind a gate (${held.mode}) and may not start a session with a weaker gate (${mode})`);
  // A command of the agent may run a program, or change who is asked, without a visible tool call.
  if (gate.allow.length > 0 || input.trust || input.asCommand || input.agentArgs.length > 0)
    throw refused(`${name} is behind a gate and may not give a session --allow, --trust, --command or --agent-arg`);
  // Rules are about the folder that a session works in, and its content.
  if (!isWithin(owner.spec.workspace, input.cwd))
    throw refused(`${name} is behind a gate and may not start a session outside of its folder ${owner.spec.workspace}`);
  const { allow = [], ask = [], deny = [] } = held.rules;
  return {
    gate: { mode, allow: [...allow], ask: [...ask, ...gate.ask], deny: [...deny, ...gate.deny] },
    policy: mode === 'watch' ? shownAsLong(owner, policy) : policy,
  };
}

/** A call that is shown only for a moment is hardly watched. */
function shownAsLong(owner: Session, policy: StartInput['policy']): StartInput['policy'] {
  const { approvalMsMax: ms } = owner.spec.policy;
  if (ms === null) return policy;
  if ((policy?.approvalMsMax ?? ms) < ms)
    throw refused(
      `a session that ${nameOf(owner)} starts must show its calls for as long as its owner does (${durationText(ms)})`,
    );
  return { ...policy, approvalMsMax: policy?.approvalMsMax ?? ms };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(realOf(folder), realOf(path));
  return way !== '..' && !way.startsWith('../');
}

/** A missing folder is reported elsewhere. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function refused(message: string): OutlastError {
  return new OutlastError('spawn_refused', message);
}
