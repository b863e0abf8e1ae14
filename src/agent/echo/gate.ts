import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import type { Outgoing, Wire } from '../seam/server.ts';
import { toolClient as findingClient } from '../seam/tool-client.ts';

/** How echo asks before a tool is used: in a message, as a server. Its turns and its screen ask nobody. */
export function echoGate({ over }: Wire): ProtocolGate {
  return over === 'http' ? { ...GATE, openers: { toolClient } } : GATE;
}

const GATE: ProtocolGate = {
  asks: 'protocol',
  wrongAnswers: { garbage },
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  probe: (calls) => ({ prompt: calls.map(({ command }) => `run ${command}`).join('\n') }),
};

function garbage(yes: Outgoing): Outgoing {
  const wrong = (request: unknown): object => ({ ...asFields(request), allow: 'perhaps' });
  return yes.is === 'call' ? { ...yes, body: wrong(yes.body) } : { ...yes, data: wrong(yes.data) };
}

/** Every process of this machine can reach its port. */
function toolClient(about: string): string {
  const answers = `
  const post = async (request) => {
    const body = JSON.stringify(request);
    return (await fetch('http://127.0.0.1:' + where.port + '/request', { method: 'POST', body })).json();
  };
  for (;;) {
    const { standing } = await post({ do: 'open', id: 'other', conversation: null, ask: true });
    const asked = standing.questions.find(({ input }) => JSON.stringify(input).includes(${JSON.stringify(about)}));
    if (asked !== undefined) {
      await post({ do: 'answer', id: 'other answer', question: asked.question, allow: true, why: '' });
      return;
    }
    await pause(20);
  }
`;
  return findingClient('return { port: above.map(portOf).find(Boolean) };', answers);
}

/** Echo writes nothing down about a call that was denied: whatever has a result was made. */
function seenIn({ type, call, tool, atMs }: Fields): SeenCall[] {
  const [id, name] = [asText(call), asText(tool)];
  const at = { atMs: asNumber(atMs) };
  if (id === null) return [];
  if (type === 'call') return [{ call: id, tool: name ?? 'unknown', made: false, ...at }];
  return type === 'result' ? [{ call: id, tool: null, made: true, ...at }] : [];
}
