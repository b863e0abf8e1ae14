import { existsSync } from 'node:fs';
import type { Outgoing } from '../../agent/seam/server.ts';
import { assert } from '../../base/assert.ts';
import { exitStatus, runIdentities } from '../../terminal/look.ts';
import { isAlive } from '../../terminal/processes.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { incomingOf } from './incoming.ts';
import { OutputLines } from './output-lines.ts';
import type { WireOver, WireParts } from './parts.ts';
import { tryAgain } from './reconnecting.ts';
import { SentLines } from './sent-lines.ts';
import { NotSent, type Taken, type Wire } from './wire.ts';

/** Messages in a file that the keeper copies to standard input, and lines of the output. Neither needs a daemon. */
export function stdioWire(parts: WireParts<WireOver<'stdio'>>): Wire {
  const files = runFolder(parts.state, parts.ref);
  const output = new OutputLines(files.output, parts.fromBytes, parts.onChange);
  const input = new SentLines(files.input);
  const pastBytes = input.bytes;
  const stopping = new AbortController();
  void tryAgain(parts, stopping.signal, async () => {
    if (stateOf(parts) === 'connecting') return 'later';
    parts.onChange();
    return 'done';
  });
  return {
    get state() {
      return stateOf(parts);
    },
    get connection() {
      return stateOf(parts) === 'connecting' ? 0 : 1;
    },
    past: () => input.all(pastBytes),
    readOn: () => output.readOn(),
    take: (): readonly Taken[] => output.next().map(({ text, atBytes }) => ({ message: incomingOf(text), atBytes })),
    send: async (message: Outgoing) => {
      assert(message.is === 'message', 'only messages go over stdio');
      const now = stateOf(parts);
      if (now !== 'open') throw new NotSent(`the standard input of the agent is ${now}`);
      input.append(message.id, message.data);
    },
    close: () => {
      stopping.abort();
      output.close();
    },
  };
}

/** The keeper records its pid before the command does, and its end is the end of the input. */
function stateOf({ state, ref }: WireParts): Wire['state'] {
  const files = runFolder(state, ref);
  if (exitStatus(files) !== null) return 'closed';
  const { command, keeper } = runIdentities(state, ref);
  if (keeper !== null && !isAlive(keeper)) return 'closed';
  if (command === null) return 'connecting';
  return keeper !== null && existsSync(files.input) ? 'open' : 'closed';
}
