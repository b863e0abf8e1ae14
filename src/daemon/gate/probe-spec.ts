import type { KnownAgent } from '../../agent/known.ts';
import type { Spec } from '../../core/session.ts';
import { hookProbeSpec } from './hook-probe.ts';

/** The session of a gate probe. Its folder is trusted: even then files of it decide nothing. */
export function trustingSpec(agent: KnownAgent, workspace: string): Spec {
  const { conversation, ...spec } = hookProbeSpec(agent, workspace);
  const gate = { mode: 'gate', rules: {} } as const;
  return { ...spec, ...(conversation && { conversation: { ...conversation, trusted: true, gate } }) };
}
