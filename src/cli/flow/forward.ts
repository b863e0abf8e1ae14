import { causeText } from '../../base/system-errors.ts';
import type { Clock } from '../../client/clock.ts';
import { OutlastError, type Session } from '../../client/index.ts';
import type { Print } from '../base/print.ts';

interface Forwarding {
  readonly session: Session;
  readonly print: Print;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const PIECE_BYTES = 64 * 1024;
const AGAIN_MS = 20;

/** Forwards our standard input to the session as it comes, and its end; stops when the session accepts no more. */
export async function forwardInput(forwarding: Forwarding): Promise<void> {
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        if ((await send(forwarding, chunk.subarray(from, from + PIECE_BYTES))) === 'over') return;
      }
    }
    await send(forwarding, 'eof');
  } catch (error) {
    if (forwarding.signal.aborted) return;
    await forwarding.print.note(`outlast: input is no longer forwarded: ${causeText(error)}`);
  }
}

/**
 * With a terminal on both sides every key is forwarded, and the session gets our size. Returns the function that undoes
 * it.
 */
export function joinTerminals(session: Session): () => void {
  const resize = (): void => {
    const [columns, rows] = process.stdout.getWindowSize();
    // A failed resize is ignored; the next one may work.
    session.resize(columns, rows).catch(() => {});
  };
  process.stdin.setRawMode(true);
  process.stdout.on('resize', resize);
  return () => {
    process.stdout.off('resize', resize);
    process.stdin.setRawMode(false);
  };
}

async function send(forwarding: Forwarding, what: Buffer | 'eof'): Promise<'sent' | 'over'> {
  let rest = what;
  for (;;) {
    try {
      const input = rest === 'eof' ? { eof: true } : { base64: rest.toString('base64') };
      const { bytes, refusedBytes } = await forwarding.session.write(input, forwarding.signal);
      if (rest === 'eof' || !refusedBytes) return 'sent';
      // A command that reads slowly: the rest is still to be sent.
      rest = rest.subarray(bytes);
      continue;
    } catch (error) {
      if (!(error instanceof OutlastError)) throw error;
      if (error.code === 'session_ended' || error.code === 'input_closed') return 'over';
      if (error.code === 'daemon_unreachable') return lost(forwarding, rest);
      // Not read, or not running yet. None of it was sent.
      if (error.code !== 'input_full' && error.code !== 'timed_out') throw error;
    }
    await forwarding.clock.sleep(AGAIN_MS, forwarding.signal);
  }
}

// It is not known whether it arrived. Sending it again could type it twice, so this is reported and skipped.
async function lost(forwarding: Forwarding, what: Buffer | 'eof'): Promise<'sent'> {
  const lostWhat = what === 'eof' ? 'the end of the input' : `${what.length} bytes of input`;
  await forwarding.print.note(`outlast: the daemon exited while ${lostWhat} were being sent; they may be lost`);
  return 'sent';
}
