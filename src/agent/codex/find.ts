import { asFields, asText, type Line } from '../seam/json.ts';
import type { LazyEnv, RecordFiles } from '../seam/record.ts';
import {
  type ConversationStart,
  type LostConversation,
  oneConversation,
  type RecordSearch,
  type StartLine,
} from '../seam/record-search.ts';
import { plainKey } from '../seam/text-key.ts';
import { entriesOf } from './rollout.ts';
import { codexHome } from './sources.ts';

const DAY_MS = 24 * 3_600_000;
/** A run that lives longer has named its conversation. */
const DAYS_MAX = 40;

/** Looks through the rollouts of the days of the run: a rollout says its folder, its time and what was asked first. */
export function findCodex(files: RecordFiles, env: LazyEnv, lost: LostConversation): RecordSearch {
  const sessions = `${codexHome(env())}/sessions`;
  const sources = daysOf(lost).flatMap((day) =>
    files.names(`${sessions}/${day}`).flatMap((name) => {
      const isRollout = name.startsWith('rollout-') && name.endsWith('.jsonl');
      return isRollout ? [{ is: 'file', path: `${sessions}/${day}/${name}` } as const] : [];
    }),
  );
  return { sources, reader: oneConversation(lost, startLine) };
}

/** The folders are named in the time of the place where Codex ran: one day more on each side. */
function daysOf({ sinceMs, untilMs }: LostConversation): string[] {
  const count = Math.min(Math.ceil((untilMs - sinceMs) / DAY_MS) + 3, DAYS_MAX);
  return Array.from({ length: count }, (_, i) =>
    new Date(sinceMs + (i - 1) * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/'),
  );
}

function startLine(line: Line): StartLine {
  if (line.is === 'unreadable') return {};
  if (line.fields.type === 'session_meta') return { start: startOf(line.fields) };
  return { keys: entriesOf(line).flatMap((entry) => (entry.is === 'prompt' ? [plainKey(entry.text)] : [])) };
}

function startOf({ payload, timestamp }: Readonly<Record<string, unknown>>): ConversationStart | null {
  const meta = asFields(payload) ?? {};
  const [id, workspace] = [asText(meta.id), asText(meta.cwd)];
  // What a sub-agent was asked is no prompt of ours. Its source is an object.
  const isOwn = asFields(meta.source) === null;
  if (id === null || workspace === null || !isOwn) return null;
  const atMs = Date.parse(asText(meta.timestamp) ?? asText(timestamp) ?? '');
  return { id, workspace, atMs: Number.isNaN(atMs) ? null : atMs };
}
