// How each agent answers the requests that open a conversation. A prompt is not answered here.

const nothing = { answer: null, isPrompt: false };

/** What an agent says that cannot be used. */
const WHY = 'nobody is logged in';

/** Each opens no conversation, and says why. */
export const refusing = {
  qwen: ({ type, request_id }) => {
    const response = { subtype: 'error', request_id, error: WHY };
    return { answer: type === 'control_request' ? { type: 'control_response', response } : null, isPrompt: false };
  },

  acp: (asked, conversation) => {
    const { answer, isPrompt } = opening.acp(asked, conversation);
    if (!asked.method?.startsWith('session/')) return { answer, isPrompt };
    return { answer: { jsonrpc: '2.0', id: asked.id, error: { code: -32603, message: WHY } }, isPrompt: false };
  },
};

export const opening = {
  codex: ({ id, method }, conversation) => {
    if (id === undefined) return nothing;
    if (method === 'turn/start') {
      return { answer: { id, result: { turn: { id: 'turn-1', status: 'inProgress' } } }, isPrompt: true };
    }
    const thread = { id: conversation, path: null, turns: [] };
    return { answer: { id, result: method.startsWith('thread/') ? { thread } : {} }, isPrompt: false };
  },

  opencode: (url) => {
    const path = url.split('?')[0];
    if (path.endsWith('/prompt_async')) return { answer: true, isPrompt: true };
    const isList = path === '/permission' || path.endsWith('/message');
    if (isList || path === '/session/status') return { answer: isList ? [] : {}, isPrompt: false };
    return { answer: { id: 'ses_00000000000001hurtagent', time: { created: 1 } }, isPrompt: false };
  },

  qwen: ({ type, request_id }, conversation) => {
    if (type === 'user') return { answer: null, isPrompt: true };
    if (type !== 'control_request') return nothing;
    const response = { subtype: 'success', request_id, response: { session_id: conversation } };
    return { answer: { type: 'control_response', response }, isPrompt: false };
  },

  acp: ({ id, method }, conversation) => {
    if (id === undefined) return nothing;
    if (method === 'session/prompt') return { answer: null, isPrompt: true };
    const can = { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] };
    const result = method === 'initialize' ? can : method === 'session/new' ? { sessionId: conversation } : {};
    return { answer: { jsonrpc: '2.0', id, result }, isPrompt: false };
  },
};
