import type { SessionView } from '../api/shapes.ts';
import type { Outlast, StartInput } from './client.ts';

/** How a command ended and what it printed. */
export interface Executed {
  readonly session: SessionView;
  /** Its output as text; only the end if it is very long. */
  readonly output: string;
  readonly omittedChars: number;
}

const OUTPUT_CHARS_MAX = 1024 * 1024;

/** Starts a command, waits for its end and returns its output. */
export async function execute(outlast: Outlast, input: StartInput, signal?: AbortSignal): Promise<Executed> {
  const session = await outlast.start({ background: false, ...input }, signal);
  let output = '';
  let omittedChars = 0;
  for await (const line of outlast.follow({ session: session.id, from: 0, owner: true }, signal)) {
    if (line.session !== undefined) return { session: line.session, output, omittedChars };
    output += line.text ?? '';
    const most = Math.max(output.length - OUTPUT_CHARS_MAX, 0);
    // Not between the halves of a surrogate pair.
    const over = /^[\udc00-\udfff]/.test(output.slice(most, most + 1)) ? most + 1 : most;
    output = output.slice(over);
    omittedChars += over;
  }
  return { session: (await outlast.show(session.id, signal)).session, output, omittedChars };
}
