import { join } from 'node:path';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
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
  return {
    session: await workingViewOf(parts, row),
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

/** An agent may have no screen of its own, or one that its gate forbids. */
function hasScreen({ agents }: Parts, { drive, agent, conversation }: Session['spec']): boolean {
  const isScreenless = agents[agent]?.configured !== undefined && agents[agent]?.live === undefined;
  if (drive === 'turns') return !isScreenless;
  if (drive !== 'server') return true;
  return agents[agent]?.server?.screen !== undefined && conversation?.gate?.mode !== 'gate';
}
