import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readWhole } from '../../agent/seam/lines.ts';
import type { DatabaseSource, TurnRead } from '../../agent/seam/record.ts';
import type { Batch, Change } from './batch.ts';
import type { StoredSource } from './index-writer.ts';
import { type Piece, piecesOf } from './pieces.ts';
import type { Planned } from './plan.ts';
import { type FilePlace, readSegments, type Segment, startIn } from './turn-file.ts';

/** How far a conversation was read that is always read as a whole: a digest of each of its turns. */
interface WholePlace {
  readonly key: string;
  readonly digests: readonly string[];
}

type Place = FilePlace | WholePlace;

/** Of a longer conversation that has to be read as a whole nothing is read. */
const WHOLE_BYTES_MAX = 64 * 1024 * 1024;
const BUSY_MS_MAX = 1_000;
const ROW_AGE_MS_MAX = 24 * 3_600_000;
const ALL = Number.MAX_SAFE_INTEGER;

/** May there be something new in it, as far as its file or its row shows without being read? */
export function isDue({ source, from, fileKey }: Planned, known: StoredSource | undefined, nowMs: number): boolean {
  if (known === undefined || known.place === null) return true;
  if (known.session !== source.session || known.path !== source.path) return true;
  if (from.is === 'database' && Math.floor(source.atMs) !== known.atMs) return true;
  // The row of a conversation may be written before what is said in it.
  if (from.is === 'database' && source.atMs < nowMs - ROW_AGE_MS_MAX) return false;
  return (JSON.parse(known.place) as Place).key !== fileKey;
}

/** Reads what is new in a conversation into the batch. `rest`: called between two pieces of it. */
export async function readSource(
  plan: Planned,
  place: string | null,
  batch: Pick<Batch, 'add'>,
  rest: () => Promise<void>,
): Promise<void> {
  const before = place === null ? null : (JSON.parse(place) as Place);
  if (plan.isWhole) return readAtOnce(plan, before !== null && 'digests' in before ? before : null, batch);
  return readOn(plan, before !== null && 'guard' in before ? before : null, batch, rest);
}

async function readOn(
  { source, from: { path }, turns }: Planned,
  before: FilePlace | null,
  batch: Pick<Batch, 'add'>,
  rest: () => Promise<void>,
): Promise<void> {
  let cuts: Change['cuts'] = [[startIn(path, before), ALL]];
  const segments = readSegments(path, turns, before, rest);
  for (let next = await segments.next(); ; next = await segments.next()) {
    if (next.done === true) return batch.add({ source, cuts, pieces: [], place: JSON.stringify(next.value) });
    const pieces = piecesIn(next.value, source.atMs);
    if (pieces.length === 0) continue;
    batch.add({ source, cuts, pieces, place: null });
    cuts = [];
  }
}

function piecesIn({ from, turn, turns, firstMs, lastMs }: Segment, atMs: number): Change['pieces'] {
  return turns.flatMap((read, i) =>
    piecesOf(read).map((piece) => {
      const at = read.atMs ?? (piece.kind === 'prompt' ? firstMs : lastMs) ?? atMs;
      return { ...piece, turn: turn + i, start: from, atMs: at };
    }),
  );
}

/** Only the turns that changed are replaced. */
function readAtOnce(plan: Planned, before: WholePlace | null, batch: Pick<Batch, 'add'>): void {
  const { source, fileKey } = plan;
  const turns = readWhole(plan.turns, textOf(plan));
  const read = turns.map((turn) => ({ turn, pieces: piecesOf(turn) }));
  const digests = read.map(({ turn, pieces }) => digestOf(turn, pieces));
  const changed = read.flatMap((one, i) => (before?.digests[i] === digests[i] ? [] : [{ ...one, i }]));
  const cuts: [number, number][] = changed.map(({ i }) => [i, i]);
  if ((before?.digests.length ?? 0) > digests.length) cuts.push([digests.length, ALL]);
  // Without a time of its own a turn is as old as the one before it.
  const times = turns.map((_, i) => turns.slice(0, i + 1).findLast(({ atMs }) => atMs !== undefined)?.atMs);
  const pieces = changed.flatMap(({ pieces, i }) =>
    pieces.map((piece) => ({ ...piece, turn: i + 1, start: i, atMs: times[i] ?? source.atMs })),
  );
  const place: WholePlace = { key: fileKey, digests };
  batch.add({ source, cuts: before === null ? [[0, ALL]] : cuts, pieces, place: JSON.stringify(place) });
}

function digestOf({ atMs }: TurnRead, pieces: readonly Piece[]): string {
  return createHash('sha256')
    .update(JSON.stringify([atMs, pieces]))
    .digest('base64url')
    .slice(0, 12);
}

function textOf({ from }: Planned): string {
  if (from.is === 'database') return rowsOf(from);
  return statSync(from.path).size > WHOLE_BYTES_MAX ? '' : readFileSync(from.path, 'utf8');
}

/** What is wrong with the database of an agent says nothing about the index. */
function rowsOf({ path, query, id }: DatabaseSource): string {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    const rows = db.prepare(query).all({ id, since: 0 });
    return rows.map(({ line }) => `${line}\n`).join('');
  } catch {
    throw new Error(`${path} cannot be read now`);
  }
}
