import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener, TurnEnd } from '../seam/turns.ts';
import { partOf, tokensOf } from './rows.ts';
import { errorText, isAborted, troubleOf } from './trouble.ts';

/** The state of the reader of a stream. */
interface Known {
  /** The texts of the current or last step. */
  readonly texts: readonly string[];
  readonly end: { readonly is: 'stopped' } | { readonly is: 'failed'; readonly error: Fields } | null;
  readonly tokens: number;
  readonly usd: number;
}

/** Reads the output of `opencode run --format json` to find out how the turn ended. Its exit status is always 0. */
export const opencodeStream: LineReader<Known, (nowMs: number) => TurnEnd | null> = {
  empty: { texts: [], end: null, tokens: 0, usd: 0 },
  read: (known, text) =>
    readJsonLines(text).lines.reduce((all, line) => (line.is === 'object' ? after(all, line.fields) : all), known),
  view: (known) => (nowMs) => endOf(known, nowMs),
};

function endOf({ texts, end, tokens, usd }: Known, nowMs: number): TurnEnd | null {
  if (end === null) return null;
  const [reply, used] = [texts.join('\n'), { tokens, usd }];
  if (end.is === 'stopped') return { turn: 'closed', reply, used };
  if (isAborted(end.error)) return { turn: 'interrupted', reply, used };
  return { turn: 'failed', reply: errorText(end.error), used, trouble: troubleOf(end.error, nowMs) };
}

function after(known: Known, line: Fields): Known {
  const part = asFields(line.part) ?? {};
  switch (line.type) {
    case 'step_start':
      return { ...known, texts: [], end: null };
    case 'text':
      return { ...known, texts: [...known.texts, asText(part.text) ?? ''] };
    case 'step_finish': {
      const tokens = known.tokens + tokensOf(asFields(part.tokens));
      const usd = known.usd + (asNumber(part.cost) ?? 0);
      return { ...known, tokens, usd, end: part.reason === 'tool-calls' ? null : { is: 'stopped' } };
    }
    case 'error':
      return { ...known, end: { is: 'failed', error: asFields(line.error) ?? {} } };
    default:
      return known;
  }
}

/** Reads the output of `opencode run --format json`. It reports a tool only when the call has ended. */
export function opencodeListener(run: number): Listener {
  let isOpened = false;
  return (line) => {
    const fields = readObject(line);
    const conversation = asText(fields?.sessionID);
    if (fields === null || conversation === null) return [];
    // It says nothing before the model has begun to answer.
    const prompted: HookReport = { type: 'hook.prompted', run, token: null, turnId: null, text: '' };
    const opened: HookReport[] = isOpened ? [] : [openedBy(run, conversation), prompted];
    isOpened = true;
    return [...opened, ...toolReports(run, fields)];
  };
}

function openedBy(run: number, conversation: string): HookReport {
  const id = conversation as ConversationId;
  return { type: 'hook.opened', run, conversation: id, transcript: null, source: 'startup' };
}

function toolReports(run: number, fields: Fields): HookReport[] {
  const data = asFields(fields.part) ?? {};
  const part = fields.type === 'tool_use' ? partOf(data) : null;
  if (part?.is !== 'tool') return [];
  const { call: id, tool: name, input, result } = part;
  const time = asFields(asFields(data.state)?.time);
  const [start, end] = [asNumber(time?.start), asNumber(time?.end)];
  const tookMs = start === null || end === null ? null : end - start;
  const called = toolCalled(run, { id, name, input, subagent: null });
  const ended = toolEnded(run, { id, name, error: result?.isError === true ? result.text : null, tookMs });
  return [called, ended].map((fact) => ({ type: 'hook.noted', run, fact }));
}
