import type {
  Claim,
  Files,
  Judged,
  Judgement,
  Listed,
  Settling,
  Store,
  Stored,
  StoreRow,
} from '../seam/conversations.ts';
import { asNumber, asText, readObject } from '../seam/json.ts';
import { systemJudgement } from './keys.ts';

/** How many events at the end of a conversation are read. */
const EVENTS_MAX = 100;

/** After it starts, OpenClaw checks for unfinished turns three times within this time. */
const RECOVERY_MS = 120_000;

const COLUMNS = `session_key AS key, current_session_id AS id, status, updated_at AS at_ms,
  (status IS NULL OR status = 'running') AS "end"`;

/** The conversations that OpenClaw keeps in SQLite, since 2026.9. Its gateway continues them by itself. */
export const openclawStored: Stored = { stores, keeper, listed, settled };

function stores(files: Files, home: string): Store[] {
  return files.names(`${home}/agents`).flatMap((owner): Store[] => {
    const folder = `${home}/agents/${owner}/agent`;
    return files.names(folder).includes(FILE) ? [{ path: `${folder}/${FILE}`, home, owner, ...QUERIES }] : [];
  });
}

const FILE = 'openclaw-agent.sqlite';

/** Each query uses an index: by time, by id, and by the events of one conversation. */
const QUERIES = {
  newest: `SELECT ${COLUMNS} FROM session_nodes WHERE updated_at >= $sinceMs ORDER BY updated_at DESC LIMIT $rowsMax`,
  one: `SELECT ${COLUMNS} FROM session_nodes WHERE current_session_id = $id`,
  end: `SELECT event_json AS text, event_zstd AS zstd, created_at AS at_ms FROM transcript_events
    WHERE session_id = $id ORDER BY seq DESC LIMIT ${EVENTS_MAX}`,
  size: `SELECT coalesce(sum(coalesce(event_utf8_bytes, length(event_json))), 0) AS bytes FROM transcript_events
    WHERE session_id = $id`,
};

/** The gateway, found by the lock on its folder. */
function keeper(files: Files, home: string): Claim | null {
  const locks = files.names(`${home}/tmp`).map((user) => files.text(`${home}/tmp/${user}/gateway.state.lock`));
  const lock = locks.map((text) => readObject(text ?? '')).find((one) => asNumber(one?.pid) !== null);
  // A single turn without a gateway holds the lock too, and continues no other conversation.
  if ((asText(lock?.role) ?? 'gateway') !== 'gateway') return null;
  const pid = asNumber(lock?.pid);
  if (lock == null || pid === null) return null;
  const atMs = Date.parse(asText(lock.createdAt) ?? '');
  const start = asNumber(lock.startTime)?.toString() ?? null;
  return { pid, start, status: 'unknown', atMs: Number.isNaN(atMs) ? null : atMs };
}

function listed(store: Store, row: StoreRow, claim: Claim | null): Listed {
  const { path, home, owner } = store;
  const { id, key, status } = row;
  const judgement = systemJudgement(key) ?? ENDS[status ?? ''] ?? null;
  // A conversation that was running may have been silent for a while.
  const at = claim === null || status !== 'running' ? claim : ({ ...claim, status: 'busy' } as const);
  return { id, path, home, key, owner, claim: at, judgement, stored: { store, row } };
}

/** OpenClaw's own result of the last turn. */
const ENDS: Readonly<Record<string, Judgement>> = {
  done: { is: 'complete', why: 'OpenClaw reports it as done' },
  killed: { is: 'complete', why: 'a person stopped it' },
  failed: { is: 'failed', why: 'OpenClaw reports it as failed' },
  timeout: { is: 'failed', why: 'OpenClaw reports a timeout' },
};

/** A turn counts as abandoned only if a gateway had the time to continue it and did not. */
function settled(judged: Judged, { atMs, nowMs, keeper: gateway }: Settling): Judged {
  if (judged.is !== 'interrupted') return judged;
  if (gateway === null) return { ...judged, is: 'handled', why: 'OpenClaw continues it when its gateway starts' };
  const { pid, sinceMs } = gateway;
  if (sinceMs === null || sinceMs <= atMs)
    return { ...judged, is: 'alive', why: `the gateway, process ${pid}, has it` };
  if (nowMs - sinceMs < RECOVERY_MS) return { ...judged, is: 'handled', why: 'OpenClaw is about to continue it' };
  return { ...judged, why: `${judged.why}, and the gateway has not continued it` };
}
