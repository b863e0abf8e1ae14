import type { Incoming } from '../../agent/seam/server.ts';

/** How much of a text that is not JSON is kept, for people. */
const GARBAGE_CHARS_MAX = 1_000;

/** A line, a frame or an event, as a message. */
export function incomingOf(text: string): Incoming {
  try {
    return { is: 'message', data: JSON.parse(text) };
  } catch {
    return { is: 'garbage', text: text.slice(0, GARBAGE_CHARS_MAX) };
  }
}
