import { stateOfCommand } from '../compat/command-state.ts';
import { failed, mayType, type ProcessInput } from './process-input.ts';
import type { Answer, Call } from './tool.ts';
import { stateOf } from './words.ts';

/** `kill`: ends it and everything it started. */
export async function kill({ sessionId }: ProcessInput, call: Call): Promise<Answer> {
  const session = await mayType(call, sessionId, 'session_stop');
  const before = (await call.outlast.show(session, call.signal)).session;
  if (before.phase === 'ended') return failed(`No active session found for ${sessionId}: ${stateOf(before)}`);
  const stopped = await call.outlast.stop({ session, by: 'mcp' }, call.signal);
  return {
    text: `Killed session ${session} (${stateOf(stopped.session)}).`,
    details: { ...stateOfCommand(stopped.session) },
  };
}

/** `clear`: removes one that has ended. */
export async function clear({ sessionId }: ProcessInput, call: Call): Promise<Answer> {
  const session = await mayType(call, sessionId, 'session_stop');
  await call.outlast.remove({ session }, call.signal);
  return { text: `Cleared session ${session}.`, details: ended(session) };
}

/** `remove`: ends and removes it. */
export async function remove({ sessionId }: ProcessInput, call: Call): Promise<Answer> {
  const session = await mayType(call, sessionId, 'session_stop');
  await call.outlast.remove({ session, stop: true }, call.signal);
  return { text: `Removed session ${session}.`, details: ended(session) };
}

function ended(sessionId: string): Record<string, unknown> {
  return { status: 'completed', sessionId };
}
