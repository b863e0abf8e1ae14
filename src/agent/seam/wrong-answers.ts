import type { WrongAnswers } from './gate.ts';
import { asFields } from './json.ts';
import type { Outgoing } from './server.ts';

/** Wrong answers in JSON-RPC: this result, and an error. */
export function rpcWrongAnswers(garbage: unknown): WrongAnswers {
  const answer = (yes: Outgoing, more: object): Outgoing => {
    const { jsonrpc, id } = asFields(yes.is === 'message' ? yes.data : null) ?? {};
    return { is: 'message', id: yes.id, data: { ...(jsonrpc !== undefined && { jsonrpc }), id, ...more } };
  };
  return {
    garbage: (yes) => answer(yes, { result: garbage }),
    error: (yes) => answer(yes, { error: { code: -32_603, message: 'Outlast cannot answer' } }),
  };
}

/** Wrong answers of the Agent Client Protocol. */
export const ACP_WRONG_ANSWERS: WrongAnswers = rpcWrongAnswers({
  outcome: { outcome: 'selected', optionId: 'perhaps' },
});
