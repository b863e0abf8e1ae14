import { type Outlast, OutlastError, type SessionView, type StartInput } from '../client/index.ts';

/** A session that was started, and what the person should know about it. */
export interface Started {
  readonly session: SessionView;
  readonly warnings: readonly string[];
}

/** What needs no question unless the caller chose otherwise: reading in the workspace. */
const READS = 'Read(**)';

/**
 * Starts a session without a prompt. Unless the command line says otherwise every call is asked about, except for reads
 * in the workspace, and a question waits for as long as it takes: the editor may be away. An agent that asks only as a
 * live process is started as one. Nothing is ever started without the gate because the gate was refused.
 */
export async function startGated(outlast: Outlast, given: StartInput, isGateChosen: boolean): Promise<Started> {
  if (isGateChosen) return startOf(outlast, given);
  const gate = { ...given.gate, mode: 'gate' as const, allow: [READS, ...(given.gate?.allow ?? [])] };
  const input: StartInput = { ...given, gate, policy: { approvalMsMax: 0, ...given.policy } };
  try {
    return await startOf(outlast, input);
  } catch (error) {
    if (!isGateRefused(error)) throw error;
    if (input.drive !== 'live') return startLive(outlast, input, error);
    throw helped(error);
  }
}

async function startLive(outlast: Outlast, input: StartInput, first: OutlastError): Promise<Started> {
  try {
    return await startOf(outlast, { ...input, drive: 'live' });
  } catch (error) {
    throw helped(isGateRefused(error) ? first : error);
  }
}

async function startOf(outlast: Outlast, input: StartInput): Promise<Started> {
  const started = await outlast.start(input);
  const session = started.started ?? (await started.show()).session;
  return { session, warnings: started.warnings };
}

function isGateRefused(error: unknown): error is OutlastError {
  return error instanceof OutlastError && error.code === 'gate_unsafe';
}

function helped(error: unknown): unknown {
  if (!isGateRefused(error)) return error;
  const how = 'an editor is asked before every tool call unless `outlast acp` is started with --no-gate';
  return new OutlastError('gate_unsafe', `${error.message}; ${how}`, { cause: error });
}
