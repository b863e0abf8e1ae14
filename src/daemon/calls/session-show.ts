import { join } from 'node:path';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { TranscriptReader } from '../../supervisor/transcript-reader.ts';
import { runProcesses } from '../../terminal/end.ts';
import { describe } from '../../terminal/processes.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOfPolicy } from '../start/policy.ts';
import { workingViewOf } from '../views/working-view.ts';

/** Shows the details of one session. */
export async function sessionShow(
  parts: Parts,
  input: HandlerInput<'session.show'>,
): Promise<CallOutput<'session.show'>> {
  const { state } = parts.config;
  const row = parts.sessions.find(input.session);
  const { spec, run } = row.session;
  const left = run === null ? [] : runProcesses(state, refOf(row.session));
  const view = await workingViewOf(parts, row);
  return {
    session: { ...view, transcript: view.transcript ?? transcriptOf(parts, row.session) },
    folder: sessionFolder(state, row.session.id),
    ...spec.size,
    timeoutMs: spec.policy.runMsMax,
    silenceMs: spec.policy.quietMsMax ?? null,
    inputClosed: terminalOf(row.session) === 'pipe' && (spec.stdin !== 'open' || (run?.inputClosed ?? false)),
    processes: left.map(({ pid }) => ({ pid, command: describe(pid) })),
    eventsFile: join(sessionFolder(state, row.session.id), 'events.jsonl'),
    attach: hasScreen(parts, spec) ? `outlast attach ${nameOf(row.session)}` : null,
    reply: row.session.turn.last?.reply ?? null,
    policy: viewOfPolicy(spec.policy),
  };
}

/** An agent may not say where it writes. Then its file is looked for; null: it is not there, or cannot be found now. */
function transcriptOf({ agents, config: { state } }: Parts, session: Session): string | null {
  const agent = agents[session.spec.agent];
  if (agent?.record === undefined) return null;
  try {
    return new TranscriptReader(state).path(session, agent);
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    return null;
  }
}

/** An agent may have no screen of its own, or one that its gate forbids. */
function hasScreen({ agents }: Parts, { drive, agent, conversation }: Session['spec']): boolean {
  const isScreenless = agents[agent]?.configured !== undefined && agents[agent]?.live === undefined;
  if (drive === 'turns') return !isScreenless;
  if (drive !== 'server') return true;
  return agents[agent]?.server?.screen !== undefined && conversation?.gate?.mode !== 'gate';
}
