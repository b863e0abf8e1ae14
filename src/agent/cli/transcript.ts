import { digestOf } from '../../base/digest.ts';
import type { LineReader } from '../seam/lines.ts';
import { NO_PROMPTS, type PromptLog, withPrompts } from '../seam/prompt-log.ts';
import type { AgentRecord, RecordedPrompt, RecordReader, TurnRead } from '../seam/record.ts';
import { plainKey } from '../seam/text-key.ts';
import { turnRead } from '../seam/turn-text.ts';
import type { CliTranscript } from './entry.ts';
import { findBy, PrintedLine } from './finder.ts';
import { oneLine } from './live.ts';
import { type ReplyText, replyBy } from './reply.ts';

/** The turn that was read last. */
interface Running {
  readonly prompt: string;
  readonly reply: ReplyText;
  readonly isOver: boolean;
  /** Something followed its prompt: another line of one begins the next turn. */
  readonly isBegun: boolean;
}

interface Known {
  readonly over: PromptLog;
  readonly running: Running | null;
  /** Made from all prompts so far, so that equal prompts have different ids. */
  readonly id: string;
}

/** Reads the file that a program writes its conversation to, as the config describes it. */
export function cliRecord(entry: CliTranscript): AgentRecord<unknown> {
  const { after, recorded } = turnsIn(entry);
  const read = (known: Known, lines: string): Known => linesOf(lines).reduce(after, known);
  const reader: RecordReader<Known> = {
    empty: EMPTY,
    read,
    view: ({ over, running, id }) => ({
      isBegun: running !== null,
      isCut: over.isCut,
      prompts: [...over.prompts, ...(running === null ? [] : [recorded(running, id)])],
      messages: [],
      contexts: [],
      open: [],
    }),
    settle: (known) => known,
    keysOf: (text) => [keyOf(text)],
  };
  const turns: LineReader<Known, readonly TurnRead[]> = {
    empty: EMPTY,
    read,
    view: ({ over, running, id }) =>
      [...over.prompts, ...(running === null ? [] : [recorded(running, id)])].map((prompt) =>
        turnRead({ prompt: textsOf(prompt), images: 0, steps: [{ is: 'text', text: prompt.reply }] }),
      ),
  };
  return {
    ...(reader as RecordReader<unknown>),
    sources: (files, env, { id, workspace }) => {
      const path = pathOf(entry.path, { id, workspace, home: () => env().HOME ?? '' });
      const isThere = path !== null && files.isThere(path);
      return { main: isThere ? { is: 'file', path } : null, sides: () => [], place: () => path };
    },
    turns: turns as LineReader<unknown, readonly TurnRead[]>,
  };
}

const EMPTY: Known = { over: NO_PROMPTS, running: null, id: '' };

/** Prompts are typed as one line, so they are compared as one. */
function keyOf(text: string): string {
  return plainKey(oneLine(text));
}

/** A recorded prompt keeps its text only for people. */
function textsOf(prompt: RecordedPrompt): string {
  return 'text' in prompt && typeof prompt.text === 'string' ? prompt.text : '';
}

function turnsIn(entry: CliTranscript) {
  const [promptIn, endIn] = [findBy(entry.prompt), entry.end === undefined ? () => null : findBy(entry.end)];
  const reply = replyBy(entry.reply);
  const recorded = ({ prompt, reply: text, isOver }: Running, turnId: string): RecordedPrompt & { text: string } => {
    const said = reply.text(text);
    const isClosed = entry.end === undefined ? said !== '' : isOver;
    const end = { turn: isClosed ? ('closed' as const) : ('open' as const), reply: said };
    return { ...end, keys: [keyOf(prompt)], turnId, isSteered: false, atMs: null, text: prompt };
  };
  const after = (known: Known, line: PrintedLine): Known => {
    const { running, over, id } = known;
    const prompt = promptIn(line);
    if (prompt !== null && running !== null && !running.isBegun) {
      const whole = `${running.prompt}\n${prompt}`;
      return { ...known, running: { ...running, prompt: whole }, id: digestOf(`${id}\n${prompt}`).slice(0, ID_CHARS) };
    }
    if (prompt !== null) {
      const all = running === null ? over : withPrompts(over, [recorded(running, id)]);
      const next = { prompt, reply: reply.empty, isOver: false, isBegun: false };
      return { over: all, running: next, id: digestOf(`${id}\n\n${prompt}`).slice(0, ID_CHARS) };
    }
    if (running === null) return known;
    const isOver = running.isOver || endIn(line) !== null;
    const isBegun = running.isBegun || line.text.trim() !== '';
    return { ...known, running: { ...running, reply: reply.add(running.reply, line), isOver, isBegun } };
  };
  return { after, recorded };
}

const ID_CHARS = 16;

function linesOf(text: string): PrintedLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((row) => new PrintedLine(row));
}

interface Places {
  readonly id: string | null;
  readonly workspace: string | undefined;
  readonly home: () => string;
}

/** The file of a conversation; null: its id is not known yet. */
function pathOf(pattern: string, { id, workspace = '', home }: Places): string | null {
  if (id === null && pattern.includes('{conversation}')) return null;
  return pattern
    .replaceAll('{conversation}', id ?? '')
    .replaceAll('{workspace}', workspace)
    .replace(/^\{home\}|^~(?=\/)/, home);
}
