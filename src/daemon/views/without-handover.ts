import type { AgentTurn } from '../../supervisor/all-turns.ts';

// The request of an agent that takes over, and the hand-over before it.

/** The lines of a hand-over by which it is recognised. */
export const HANDOVER = {
  begin: '[Outlast wrote this hand-over; no person typed it.]',
  open: 'This was asked, and is not finished:',
  next: 'This is asked now:',
} as const;

/** The request in a text that begins with a hand-over; any other text as it is. */
export function withoutHandover(text: string): string {
  if (!text.startsWith(HANDOVER.begin)) return text;
  const ends = [HANDOVER.open, HANDOVER.next].map((line) => text.lastIndexOf(`\n${line}\n`));
  const [from = -1] = ends.filter((at) => at >= 0);
  return from < 0 ? text : text.slice(text.indexOf('\n', from + 1)).trim();
}

/** A turn as it is shown: the hand-over is apart, and part of the Markdown only if that is full. */
export function shownTurn(turn: AgentTurn): AgentTurn {
  const request = withoutHandover(turn.prompt);
  const at = turn.prompt.lastIndexOf(request);
  if (request === turn.prompt || at < 0) return turn;
  const handover = turn.prompt.slice(0, at).trim();
  const note = `*Before it Outlast wrote a hand-over of ${handover.split('\n').length} lines.*`;
  const markdown = (full: boolean): string =>
    full ? turn.markdown(true) : turn.markdown(false).replace(turn.prompt, () => `${note}\n\n${request}`);
  return { ...turn, prompt: request, markdown, data: { ...turn.data, prompt: request, handover } };
}
