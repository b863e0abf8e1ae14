import { commandFor } from './gated.ts';

/** What is read of an event. */
interface Row {
  readonly event: string;
  readonly body: object;
}

/** Each executed call needs a row of its own that allows it. Returns the words of those without one. */
export function wordsWithoutRow(executed: readonly string[], events: readonly Row[]): string[] {
  const rows = events.map(({ event, body }) => ({ event, body: body as Record<string, unknown> }));
  const asked = rows.filter(({ event }) => event === 'approval.asked').map(({ body }) => body);
  const decided = rows.filter(({ event, body }) => event === 'approval.decided' && body.allow === true);
  const allowed = decided.map(({ body }) =>
    String(body.edit ?? asked.find(({ approval }) => approval === body.approval)?.input),
  );
  return executed.filter((word) => {
    const row = allowed.findIndex((input) => input.includes(commandFor(word)));
    // A row counts for one call.
    if (row >= 0) allowed.splice(row, 1);
    return row < 0;
  });
}
