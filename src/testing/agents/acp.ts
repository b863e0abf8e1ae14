import type { AcpState } from '../../agent/acp/server-state.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import { asFields } from '../../agent/seam/json.ts';
import type { Outgoing, ServerReport } from '../../agent/seam/server.ts';
import { assert } from '../../base/assert.ts';
import { GATED_HELLO } from '../hello-plan.ts';

/** Replays a recorded connection: `>>` was sent, under its original ids, and `<<` was received. */
export function replayAcp(agent: Agent, text: string): unknown {
  const { server } = agent;
  assert(server !== undefined, 'it is driven by messages');
  const names = new Map<unknown, string>();
  const reports: ServerReport[] = [];
  const sends: Outgoing[] = [];
  let state = server.empty;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const data = asFields(JSON.parse(line.slice(3))) ?? {};
    if (line.startsWith('>>')) {
      const id = nameOf(data);
      names.set(data.id, id);
      state = server.sent(state, { is: 'message', id, data: id === 'initialize' ? helloOf(server, text) : data });
      continue;
    }
    const named = data.method === undefined ? { ...data, id: names.get(data.id) ?? data.id } : data;
    const received = server.receive(state, { is: 'message', data: named }, { run: 1, nowMs: 0 });
    state = received.state;
    reports.push(...received.reports);
    sends.push(...received.send);
  }
  const asks = reports.flatMap(({ says }) => (says.type === 'asked' ? [says.call] : []));
  const actions = asks.map(({ tool, input }) => agent.actions?.(tool, input) ?? []);
  const { sent: _, ...rest } = state as AcpState;
  return { reports, sends, actions, view: server.view(state), state: rest };
}

/** The hello of the adapter for the conversation that the recording loads. */
function helloOf(server: NonNullable<Agent['server']>, text: string): unknown {
  const conversation = /"method": ?"session\/load", ?"params": ?\{"sessionId": ?"([^"]+)"/.exec(text)?.[1] ?? null;
  const [hello] = server.hello(server.empty, { ...GATED_HELLO, conversation });
  return hello?.is === 'message' ? hello.data : null;
}

/** The id that the adapter gives a message of this method. */
function nameOf({ id, method }: Readonly<Record<string, unknown>>): string {
  if (method === 'session/new' || method === 'session/load') return 'open';
  if (method === 'session/set_mode') return 'mode';
  if (method === '_outlast/told') return 'told';
  if (method === 'session/prompt') return `prompt ${id}`;
  return method === 'initialize' ? 'initialize' : `${method ?? 'answer'} ${id}`;
}
