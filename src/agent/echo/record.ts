import type { OpenCall } from '../../core/session.ts';
import { asNumber, asText, type Fields, type Line, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { MessageLog } from '../seam/message-log.ts';
import { NO_PROMPTS, type PromptLog, withPrompts } from '../seam/prompt-log.ts';
import type { AgentRecord, RecordedPrompt, RecordReader, TurnRead } from '../seam/record.ts';
import { oneConversation, type StartLine } from '../seam/record-search.ts';
import type { Step, Turn } from '../seam/turn.ts';
import { turnRead } from '../seam/turn-text.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { homeOf } from './launch.ts';
import { callOf, stoppedOf, turnEnd } from './notes.ts';
import { sentKey } from './sent-text.ts';

/** The state of the reader of a transcript. */
interface Known {
  readonly over: PromptLog;
  /** The prompts of the running turn. */
  readonly running: readonly RecordedPrompt[];
  readonly open: readonly OpenCall[];
  readonly messages: MessageLog;
  readonly prompts: number;
}

const OPEN: TurnEnd = { turn: 'open', reply: '' };

const reader: RecordReader<Known> = {
  empty: { over: NO_PROMPTS, running: [], open: [], messages: new MessageLog(), prompts: 0 },
  read: (known, lines) => {
    const entries = entriesIn(lines);
    if (entries.length === 0) return known;
    return entries.reduce(after, { ...known, messages: known.messages.copy() });
  },
  view: ({ over, running, open, messages, prompts }) => ({
    isBegun: prompts > 0,
    isCut: over.isCut,
    prompts: [...over.prompts, ...running],
    messages: messages.all,
    contexts: [],
    open,
  }),
  settle: (known, counted) => ({ ...known, messages: known.messages.after(counted) }),
  keysOf: (text) => [sentKey(text)],
};

function entriesIn(lines: string): Fields[] {
  return lines.split('\n').flatMap((line): Fields[] => {
    const entry = readObject(line);
    return entry === null ? [] : [entry];
  });
}

function after(known: Known, entry: Fields): Known {
  switch (entry.type) {
    case 'prompt':
      return withPrompt(known, entry);
    case 'call': {
      const call = callOf(entry);
      if (call === null) return known;
      const open = { id: call.call, tool: call.tool, input: JSON.stringify(call.input) };
      return { ...known, open: [...known.open, open] };
    }
    case 'result':
      return { ...known, open: known.open.filter(({ id }) => id !== entry.call) };
    case 'end':
      return withEnd(known, entry);
    default:
      return known;
  }
}

function withPrompt(known: Known, entry: Fields): Known {
  const [text, turnId] = [asText(entry.text) ?? '', asText(entry.turn)];
  const isSteered = entry.steered === true;
  const given = asText(entry.prompt);
  const prompt: RecordedPrompt = {
    ...OPEN,
    keys: [sentKey(text)],
    turnId,
    isSteered,
    atMs: asNumber(entry.atMs),
    ...(given === null ? {} : { given }),
  };
  const prompts = known.prompts + 1;
  if (isSteered) return { ...known, prompts, running: [...known.running, prompt] };
  // A turn that was running when a process died has no end.
  return { ...known, prompts, over: withPrompts(known.over, known.running), running: [prompt], open: [] };
}

function withEnd(known: Known, entry: Fields): Known {
  const stopped = stoppedOf(entry);
  if (stopped === null) return known;
  const { used: _, ...end } = turnEnd(stopped);
  const { turn: message, tokens, byKind } = stopped;
  const counted = { message, model: null, tokens, byKind, weight: tokens, atMs: asNumber(entry.atMs) };
  known.messages.put({ ...counted, prompt: known.prompts, usdBefore: 0 });
  const over = withPrompts(
    known.over,
    known.running.map((prompt) => ({ ...prompt, ...end })),
  );
  return { ...known, over, running: [], open: [] };
}

/** The transcript for display. It keeps everything, for as long as a reader needs it. */
const turns: LineReader<readonly Fields[], readonly TurnRead[]> = {
  empty: [],
  read: (known, lines) => [...known, ...entriesIn(lines)],
  view: (entries) => turnsOf(entries).map(turnRead),
};

function turnsOf(entries: readonly Fields[]): Turn[] {
  const found: { prompt: string; images: 0; steps: Step[] }[] = [];
  for (const entry of entries) {
    const text = asText(entry.text) ?? '';
    if (entry.type === 'prompt' && entry.steered !== true) found.push({ prompt: text, images: 0, steps: [] });
    else found.at(-1)?.steps.push(...stepsOf(entry, entries));
  }
  return found;
}

function stepsOf(entry: Fields, entries: readonly Fields[]): Step[] {
  if (entry.type === 'prompt') return [{ is: 'steering', text: asText(entry.text) ?? '' }];
  if (entry.type === 'end') {
    const stopped = stoppedOf(entry);
    return stopped === null
      ? []
      : [{ is: stopped.interrupted ? 'note' : 'text', text: stopped.reply || 'interrupted' }];
  }
  const call = entry.type === 'call' ? callOf(entry) : null;
  if (call === null) return [];
  const end = entries.find(({ type, call: id }) => type === 'result' && id === call.call);
  const result =
    end === undefined
      ? null
      : { id: call.call, text: asText(end.error) ?? asText(end.text) ?? '', images: 0, isError: end.error !== null };
  return [{ is: 'call', id: call.call, name: call.tool, input: call.input, result }];
}

function startLine(line: Line): StartLine {
  if (line.is === 'unreadable') return {};
  const { type, id, cwd, atMs, text } = line.fields;
  if (type === 'prompt') return { keys: [sentKey(asText(text) ?? '')] };
  const [name, workspace] = [asText(id), asText(cwd)];
  if (type !== 'conversation' || name === null || workspace === null) return {};
  return { start: { id: name, workspace, atMs: asNumber(atMs) } };
}

/** The records of echo: a file for each conversation. */
export const echoRecord: AgentRecord<unknown> = {
  ...(reader as RecordReader<unknown>),
  sources: (files, env, { id, reported }) => {
    const usual = (): string | null => (id === null ? null : `${homeOf(env())}/conversations/${id}.jsonl`);
    const path = reported ?? usual();
    const main = path !== null && files.isThere(path) ? ({ is: 'file', path } as const) : null;
    return { main, sides: () => [], place: () => path };
  },
  find: (files, env, lost) => {
    const folder = `${homeOf(env())}/conversations`;
    const sources = files.names(folder).map((name) => ({ is: 'file', path: `${folder}/${name}` }) as const);
    return { sources, reader: oneConversation(lost, startLine) };
  },
  turns,
};
