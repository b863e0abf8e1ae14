import {
  type AgentApp,
  agent,
  type InitializeRequest,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import type { Editor } from './editor.ts';
import { requestErrorOf } from './errors.ts';
import type { Sessions } from './sessions.ts';

/** The requests of the protocol, each answered by the sessions of this connection. */
export function agentOf(sessions: Sessions, editor: Editor, version: string): AgentApp {
  const { session, initialize, authenticate } = methods.agent;
  return agent({ name: 'outlast' })
    .onRequest(initialize, ({ params }) => introduce(editor, params, version))
    .onRequest(authenticate, () => ({}))
    .onRequest(session.new, ({ params: { cwd, mcpServers } }) =>
      asked(async () => {
        const { id } = await sessions.create(cwd);
        tellUnused(editor, id, mcpServers);
        return { sessionId: id };
      }),
    )
    .onRequest(session.load, ({ params: { sessionId, mcpServers } }) =>
      asked(async () => {
        await sessions.load(sessionId);
        tellUnused(editor, sessionId, mcpServers);
        return {};
      }),
    )
    .onRequest(session.resume, ({ params: { sessionId, mcpServers = [] } }) =>
      asked(async () => {
        await sessions.resume(sessionId);
        tellUnused(editor, sessionId, mcpServers);
        return {};
      }),
    )
    .onRequest(session.list, ({ params: { cwd, cursor } }) =>
      asked(() => sessions.list(cwd ?? undefined, cursor ?? undefined)),
    )
    .onRequest(session.close, ({ params: { sessionId } }) =>
      asked(async () => {
        await sessions.close(sessionId);
        return {};
      }),
    )
    .onRequest(session.prompt, ({ params, signal }) => asked(() => sessions.prompt(params, signal)))
    .onNotification(session.cancel, ({ params: { sessionId } }) => asked(() => sessions.cancel(sessionId)));
}

function introduce(
  editor: Editor,
  { clientInfo, clientCapabilities }: InitializeRequest,
  version: string,
): InitializeResponse {
  editor.introduce(clientInfo?.name, clientCapabilities ?? {});
  return {
    // The only version that we speak: an editor that does not know it disconnects.
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'outlast', title: 'Outlast', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [],
  };
}

/** An agent gets its MCP servers from its own settings: nothing of ours could keep those of an editor alive. */
function tellUnused(editor: Editor, session: string, servers: readonly { readonly name: string }[]): void {
  if (servers.length === 0) return;
  const names = servers.map(({ name }) => name).join(', ');
  const text = `The MCP servers of the editor are not used: ${names}. Configure them in the agent itself.`;
  editor.afterAnswer(() => editor.tell(session, text));
}

async function asked<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    throw requestErrorOf(error);
  }
}
