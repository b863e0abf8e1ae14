import { asFields, asText, type Fields, readJsonLines } from '../../agent/seam/json.ts';
import type { LineReader } from '../../agent/seam/lines.ts';
import type { TurnRead } from '../../agent/seam/record.ts';
import type { Step, Turn } from '../../agent/seam/turn.ts';
import { turnRead } from '../../agent/seam/turn-text.ts';

/** Reads the events of a session as turns: all that is known of agents whose conversations cannot be read. */
export const journalTurns: LineReader<readonly Fields[], readonly TurnRead[]> = {
  empty: [],
  read: (known, text) => [
    ...known,
    ...readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? [line.fields] : [])),
  ],
  view: (events) => turnsOf(events).map((turn) => turnRead(turn)),
};

function turnsOf(events: readonly Fields[]): Turn[] {
  const turns: { prompt: string; images: number; steps: Step[] }[] = [];
  for (const { event, body } of events) {
    const fields = asFields(body) ?? {};
    if (event === 'prompt.queued') turns.push({ prompt: asText(fields.text) ?? '', images: 0, steps: [] });
    const steps = stepsOf(event, fields);
    if (steps.length === 0) continue;
    if (turns.length === 0) turns.push({ prompt: '', images: 0, steps: [] });
    turns.at(-1)?.steps.push(...steps);
  }
  return turns;
}

function stepsOf(event: unknown, fields: Fields): Step[] {
  if (event === 'prompt.answered') return [{ is: 'text', text: asText(fields.reply) ?? '' }];
  if (event !== 'tool.called') return [];
  const [id, name] = [asText(fields.call) ?? '', asText(fields.tool) ?? ''];
  return [{ is: 'call', id, name, input: inputOf(asText(fields.input) ?? ''), result: null }];
}

/** An input is recorded as JSON, and a long one is cut. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
