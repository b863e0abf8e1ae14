import type { Gauged } from '../../core/event-body.ts';
import type { Fact } from '../../core/fact.ts';
import type { HookReport } from '../seam/hooks.ts';
import { asFields, asText, type Line, readJsonLines, readObject } from '../seam/json.ts';
import type { RecordFollower } from '../seam/live.ts';
import { toolCalled, toolEnded } from '../seam/tool-facts.ts';
import type { Listener } from '../seam/turns.ts';
import { type Entry, entriesOf } from './rollout.ts';
import { troubleOf } from './trouble.ts';

const ROLLOUT = /\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
const LOCK = /\/thread-writer-locks\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.lock$/;

/** Codex on its own screen runs no hooks of ours, but what happens is in its rollout at once. */
export const codexFollower: RecordFollower = { conversation, listener };

/**
 * A process locks its conversation before the first prompt, and has its rollout open from then on. If a person began
 * another conversation, the old one stays open: the ids grow with time, so the last one counts. Sub-agents have
 * conversations too, and their rollouts say so.
 */
function conversation(writes: readonly string[], beginning: (path: string) => string): string | null {
  const rollouts = writes.flatMap((path) => {
    const id = ROLLOUT.exec(path)?.[1];
    return id === undefined || isOfSubagent(beginning(path)) ? [] : [id];
  });
  const newest = rollouts.toSorted().at(-1);
  if (newest !== undefined) return newest;
  const locks = writes.flatMap((path) => LOCK.exec(path)?.[1] ?? []);
  return locks.length === 1 ? (locks[0] ?? null) : null;
}

function isOfSubagent(line: string): boolean {
  const meta = asFields(readObject(line)?.payload);
  return meta === null || asFields(meta.source) !== null;
}

/** What is known at a line. */
interface Reading {
  readonly turn: string | null;
  /** What was there before the run is not reported. */
  readonly is: 'before' | 'last' | 'new';
  /** The last text of the model in the turn. */
  readonly reply: string;
  /** The tools of the running calls, by the ids of the calls. */
  readonly tools: ReadonlyMap<string, string>;
  readonly resetsAtMs: number | null;
}

function listener(run: number, upTo: string | null): Listener {
  const is = upTo === null ? 'new' : 'before';
  let reading: Reading = { turn: null, is, reply: '', tools: new Map(), resetsAtMs: null };
  return (text) =>
    readJsonLines(`${text}\n`).lines.flatMap((line) => {
      if (upTo !== null && isBegunAfter(line, upTo)) reading = { ...reading, is: 'new' };
      return entriesOf(line).flatMap((entry) => {
        const before = reading;
        reading = after(before, entry, upTo);
        return reading.is === 'new' ? reportsOf(entry, before, reading.turn, run) : [];
      });
    });
}

/** A person has begun another conversation since that turn. The ids of both grow with time. */
function isBegunAfter(line: Line, turn: string): boolean {
  if (line.is !== 'object' || line.fields.type !== 'session_meta') return false;
  const id = asText(asFields(line.fields.payload)?.id);
  return id !== null && id > turn;
}

function after(known: Reading, entry: Entry, upTo: string | null): Reading {
  switch (entry.is) {
    case 'begun': {
      const isOver = known.is === 'last' && entry.turn !== upTo;
      const is = known.is === 'new' || isOver ? 'new' : entry.turn === upTo ? 'last' : known.is;
      return { ...known, is, turn: entry.turn, reply: '', tools: new Map() };
    }
    case 'prompt':
      return { ...known, reply: '' };
    case 'text':
      return { ...known, reply: entry.text };
    case 'call':
      return { ...known, tools: new Map(known.tools).set(entry.id, entry.name) };
    case 'limits':
      return { ...known, resetsAtMs: entry.resetsAtMs ?? known.resetsAtMs };
    default:
      return known;
  }
}

function reportsOf(entry: Entry, known: Reading, turnId: string | null, run: number): HookReport[] {
  const noted = (fact: Fact | Gauged): HookReport[] => [{ type: 'hook.noted', run, fact }];
  const stopped = { type: 'hook.stopped', run, turnId, more: false } as const;
  switch (entry.is) {
    case 'prompt':
      // Each is recorded twice, and the item comes second.
      return entry.isItem ? [{ type: 'hook.prompted', run, token: null, turnId, text: entry.text }] : [];
    case 'call':
      return noted(toolCalled(run, { id: entry.id, name: entry.name, input: entry.input, subagent: null }));
    case 'result': {
      const { id, text, isError } = entry.result;
      const name = known.tools.get(id) ?? 'unknown';
      return noted(toolEnded(run, { id, name, error: isError ? text : null, tookMs: null }));
    }
    case 'ended': {
      const { failure, atMs } = entry;
      const reply = failure?.text ?? entry.reply ?? known.reply;
      const trouble = failure === null ? null : troubleOf({ ...failure, resetsAtMs: known.resetsAtMs }, atMs);
      return [{ ...stopped, reply, trouble }];
    }
    case 'aborted':
      return [{ ...stopped, reply: known.reply, trouble: null, interrupted: true }];
    case 'compacted':
      return noted({ type: 'conversation.compacted', run, trigger: 'auto' });
    case 'limits':
      return entry.windows.length === 0 ? [] : noted({ type: 'usage.gauged', run, windows: entry.windows });
    default:
      return [];
  }
}
