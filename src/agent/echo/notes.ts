import type { ConversationId, Trouble } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asNumber, asText, type Fields } from '../seam/json.ts';
import { kindsOf } from '../seam/token-kinds.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { TurnEnd } from '../seam/turns.ts';
import type { Stopped, ToolCall } from './protocol.ts';

/** A report from one note of echo, with a key that is the same each time the note is read. */
export interface NoteReport {
  readonly key: string;
  readonly says: HookReport;
}

/** The reports in a note. `tokenOf`: the token under which we sent a prompt; null: it is not ours. */
export function reportsOf(note: Fields, run: number, tokenOf: (prompt: string) => string | null): NoteReport[] {
  switch (note.on) {
    case 'opened':
      return opened(note, run);
    case 'prompted':
      return prompted(note, run, tokenOf);
    case 'called': {
      const call = callOf(note);
      if (call === null) return [];
      const fact = toolCalled(run, { id: call.call, name: call.tool, input: call.input, subagent: null });
      return [{ key: `called ${call.call}`, says: { type: 'hook.noted', run, fact } }];
    }
    case 'returned':
      return returned(note, run);
    case 'stopped': {
      const stopped = stoppedOf(note);
      return stopped === null ? [] : [stoppedReport(stopped, run)];
    }
    default:
      return [];
  }
}

/** The reports of a hook. Prompts come on standard input or are typed, so they have no token. */
export function hookReports(payload: unknown, run: number): HookReport[] {
  const note = asFields(payload);
  return note === null ? [] : reportsOf(note, run, () => null).map(({ says }) => says);
}

/** Parses the end of a turn; null: it is none. */
export function stoppedOf(value: Fields): Stopped | null {
  const [turn, reply] = [asText(value.turn), asText(value.reply)];
  if (turn === null || reply === null) return null;
  const [trouble, tokens] = [troubleOf(asFields(value.trouble)), asNumber(value.tokens) ?? 0];
  const { input, output, cacheRead, cacheWrite } = asFields(value.byKind) ?? {};
  const byKind = kindsOf({ input, output, cacheRead, cacheWrite });
  return { turn, reply, interrupted: value.interrupted === true, trouble, tokens, byKind };
}

/** Converts the end of a turn to the type of the seam. */
export function turnEnd({ reply, interrupted, trouble, tokens, byKind }: Stopped): TurnEnd {
  const used = { tokens, usd: null, byKind };
  if (interrupted) return { turn: 'interrupted', reply, used };
  return trouble === null ? { turn: 'closed', reply, used } : { turn: 'failed', reply, trouble, used };
}

/** Parses a tool call; null: it is none. */
export function callOf(value: Fields): ToolCall | null {
  const [call, tool] = [asText(value.call), asText(value.tool)];
  return call === null || tool === null ? null : { call, tool, input: value.input ?? null };
}

function opened(note: Fields, run: number): NoteReport[] {
  const [conversation, transcript] = [asText(note.conversation), asText(note.transcript)];
  if (conversation === null) return [];
  const source = 'startup';
  return [
    {
      key: `opened ${conversation}`,
      says: { type: 'hook.opened', run, conversation: conversation as ConversationId, transcript, source },
    },
  ];
}

function prompted(note: Fields, run: number, tokenOf: (prompt: string) => string | null): NoteReport[] {
  const [prompt, turnId, text] = [asText(note.prompt), asText(note.turn), asText(note.text)];
  if (prompt === null || turnId === null || text === null) return [];
  return [{ key: `prompted ${prompt}`, says: { type: 'hook.prompted', run, token: tokenOf(prompt), turnId, text } }];
}

function returned(note: Fields, run: number): NoteReport[] {
  const [id, name] = [asText(note.call), asText(note.tool)];
  if (id === null || name === null) return [];
  const fact = toolEnded(run, { id, name, error: asText(note.error), tookMs: null });
  return [{ key: `returned ${id}`, says: { type: 'hook.noted', run, fact } }];
}

function stoppedReport({ turn, reply, interrupted, trouble }: Stopped, run: number): NoteReport {
  const says: HookReport = { type: 'hook.stopped', run, turnId: turn, reply, trouble, more: false };
  return { key: `stopped ${turn}`, says: interrupted ? { ...says, interrupted: true } : says };
}

function troubleOf(trouble: Fields | null): Trouble | null {
  if (trouble === null) return null;
  return trouble.kind === 'limited' ? { kind: 'limited', untilMs: asNumber(trouble.untilMs) } : { kind: 'other' };
}
