import type { LineReader } from '../seam/lines.ts';
import type { TurnRead } from '../seam/record.ts';
import type { Step, ToolResult, Turn } from '../seam/turn.ts';
import { datedTurn } from '../seam/turn-text.ts';
import type { Message, Reply } from './chat.ts';
import { messagesAfter } from './messages.ts';

/** Reads a conversation for display. It keeps everything, for as long as a reader needs it. */
export const geminiTurnReader: LineReader<readonly Message[], readonly TurnRead[]> = {
  empty: [],
  read: messagesAfter,
  view: (messages) => turnsOf(messages).map(datedTurn),
};

/** A turn, and when its prompt was recorded. */
type DatedTurn = Turn & { readonly atMs: number | null };

function turnsOf(messages: readonly Message[]): DatedTurn[] {
  const results = new Map(
    messages.flatMap((each) => (each.is === 'context' ? each.results.map((result) => [result.id, result]) : [])),
  );
  const turns: { prompt: string; images: number; steps: Step[]; atMs: number | null }[] = [];
  for (const message of messages) {
    if (message.is === 'prompt') {
      const { texts, images, atMs } = message;
      turns.push({ prompt: texts.join('\n').trim(), images, steps: [], atMs: atMs === 0 ? null : atMs });
      continue;
    }
    const steps = stepsOf(message, results);
    // The end of a long conversation begins in the middle of a turn, whose prompt is unknown.
    if (steps.length > 0 && turns.length === 0) turns.push({ prompt: '', images: 0, steps: [], atMs: null });
    turns.at(-1)?.steps.push(...steps);
  }
  return turns;
}

function stepsOf(message: Exclude<Message, { is: 'prompt' }>, results: ReadonlyMap<string, ToolResult>): Step[] {
  if (message.is === 'unreadable') return [{ is: 'note', text: 'a line of the transcript cannot be read' }];
  return message.is === 'reply' ? replySteps(message, results) : [];
}

function replySteps({ thoughts, text, calls }: Reply, results: ReadonlyMap<string, ToolResult>): Step[] {
  return [
    ...thoughts.map((each): Step => ({ is: 'thinking', text: each })),
    ...(text === '' ? [] : [{ is: 'text', text } as const]),
    ...calls.map((call): Step => ({ is: 'call', ...call, result: call.result ?? results.get(call.id) ?? null })),
  ];
}
