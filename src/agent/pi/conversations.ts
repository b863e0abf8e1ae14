import type { About, Conversations, Files, Judged, Listed, Tail } from '../seam/conversations.ts';
import { asText, type Fields, readJsonLines } from '../seam/json.ts';
import { aboutLines, judgeLines, type LineAbout, type LineFile, wholeLines } from '../seam/line-conversations.ts';
import type { LineReader } from '../seam/lines.ts';
import { doubtOf } from './branch.ts';
import { entriesOf } from './entries.ts';
import { isWriter, mayHold } from './holder.ts';
import { piRecord } from './record.ts';
import { folderName, piHome, sessionHomes } from './sources.ts';
import { toolsIn } from './tools.ts';

type Env = Readonly<Record<string, string>>;

const FILE = /^[^_]+_(.+)\.jsonl$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How the line of a result begins, which ends no turn and begins none. */
const RESULT =
  /^\{"type":"message","id":"[^"]*","parentId":"[^"]*","timestamp":"[^"]*","message":\{"role":"toolResult"/;

const SESSIONS: LineFile<unknown> = {
  record: piRecord,
  promptOf: (line) => {
    const [entry] = entriesOf(line);
    if (entry?.is !== 'message' || entry.message.is !== 'prompt') return null;
    // A picture alone is a request too.
    return entry.message.text || '(a picture)';
  },
  isWithin: (line) =>
    entriesOf(line).some(
      (one) => one.is === 'message' && (one.message.is !== 'reply' || one.message.reason === 'toolUse'),
    ),
  // Where bytes are zero, more lines may have been.
  mayEnd: (torn) => torn.includes('\0') || !RESULT.test(torn),
};

/** The conversations of pi. Its processes do not tell which one they have open. */
export const piConversations: Conversations = {
  agent: 'pi',
  homes,
  list,
  // Every line may be of the turn.
  isNoise: () => false,
  judge,
  about,
  resume: { as: 'session', env: envFor },
  isWriter,
  mayHold,
};

/** Its homes have a folder for each workspace. The folder that a user chose for all conversations has none. */
function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const [own, ...chosen] = sessionHomes(env);
  const all = [`${env.HOME ?? ''}/.pi/agent`, own ?? '', ...more.map(withoutSlash)];
  return [...new Set([...all.filter((folder) => files.names(`${folder}/sessions`).length > 0), ...chosen])];
}

function withoutSlash(folder: string): string {
  return folder.replace(/\/+$/, '');
}

function list(files: Files, home: string): Listed[] {
  const folders = files.names(`${home}/sessions`).map((name) => `${home}/sessions/${name}`);
  return [home, ...folders].flatMap((folder) =>
    filesIn(files, folder).map(({ name, id }) => {
      const judgement = UUID.test(id)
        ? null
        : ({ is: 'unknown', why: 'only a UUID can be given to pi as its id' } as const);
      return { id, path: `${folder}/${name}`, home, key: null, owner: null, claim: null, judgement };
    }),
  );
}

function filesIn(files: Files, folder: string): { readonly name: string; readonly id: string }[] {
  return files.names(folder).flatMap((name) => {
    const id = FILE.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id }];
  });
}

/** Judges the end of a conversation. A line that cannot be read may be a request, or the end of one. */
function judge(tail: Tail): Judged | null {
  const judged = judgeLines(SESSIONS, tail);
  if (judged === null || judged.is === 'unreadable') return judged;
  const { lines, skipped, torn } = readJsonLines(wholeLines(tail.text).text);
  const isHoled = skipped > lines.filter(({ is }) => is === 'unreadable').length + (torn ? 1 : 0);
  const isOpen = judged.is === 'interrupted';
  const doubt = isHoled ? 'a part of it was lost' : doubtOf(lines, isOpen);
  if (doubt !== null) return { ...judged, is: 'unknown', why: doubt };
  const rows = lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
  return isOpen && isUntouchedCopy(rows)
    ? { ...judged, is: 'complete', why: 'nothing was asked in this copy' }
    : judged;
}

/** A copy begins with everything that was said in the other conversation. */
function isUntouchedCopy(rows: readonly Fields[]): boolean {
  const begun = rows.find(({ type }) => type === 'session');
  const since = asText(begun?.timestamp) ?? '';
  if (asText(begun?.parentSession) === null) return false;
  return rows.every((row) => row === begun || (asText(row.timestamp) ?? '') <= since);
}

function about(first: string, listed: Listed): LineReader<unknown, About> {
  return aboutLines(SESSIONS, (rows, start) => aboutOf(rows, start, listed))(first, listed);
}

function aboutOf(rows: readonly Fields[], first: readonly Fields[], { path, home }: Listed): LineAbout {
  const cwd = asText(first.find(({ type }) => type === 'session')?.cwd);
  const models = rows.flatMap((fields) => entriesOf({ is: 'object', fields }));
  const model = models.flatMap((entry) => (entry.is === 'model' ? [entry.model] : [])).at(-1) ?? null;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const isElsewhere = folder !== home && folder !== `${home}/sessions/${folderName(cwd ?? '')}`;
  const lost = 'its file is not in the folder of its workspace, so pi would not find it' as const;
  // Its file does not say whether it was on a screen.
  return { cwd, model, mode: isElsewhere ? { lost } : toolsIn(rows), isLive: false };
}

/** Leaves the variables unset for the folders in which it looks anyway. */
function envFor(env: Env, folder: string): Env {
  const { PI_CODING_AGENT_SESSION_DIR: chosen = '', ...rest } = env;
  if (folder === withoutSlash(chosen)) return env;
  return folder === piHome(env) ? rest : { ...rest, PI_CODING_AGENT_DIR: folder };
}
