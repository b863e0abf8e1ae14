import type { About, Claim, Conversations, Files, Judgement, Listed } from '../seam/conversations.ts';
import { asFields, asNumber, asText, type Fields, readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { systemJudgement } from './keys.ts';
import { openclawStored } from './store.ts';
import { judgeTail, messagesOf } from './transcript.ts';

type Env = Readonly<Record<string, string>>;

/** The variable that sets OpenClaw's state folder. */
export const OPENCLAW_HOME = 'OPENCLAW_STATE_DIR';

/** The conversations of OpenClaw's gateway. Only the gateway may continue them, so it is asked to. */
export const openclawConversations: Conversations = {
  agent: 'openclaw',
  homes,
  list,
  isNoise: () => false,
  judge: judgeTail,
  about: () => ABOUT,
  resume: { as: 'request', argv: request, env: envFor },
  stored: openclawStored,
  holderOf: ({ path }, processes) => processes.find(({ writes }) => writes.includes(path))?.pid ?? null,
};

function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const home = env.HOME ?? '';
  const all = [env[OPENCLAW_HOME] || `${home}/.openclaw`, `${home}/.openclaw-dev`, ...more];
  return [...new Set(all)].filter((folder) => files.names(`${folder}/agents`).length > 0);
}

function list(files: Files, home: string): Listed[] {
  const resumed = readObject(files.text(`${home}/workspace/state/restart-resume.json`) ?? '');
  const handled = resumed?.pending === true ? asText(resumed.sessionKey) : null;
  return files.names(`${home}/agents`).flatMap((owner) => {
    const folder = `${home}/agents/${owner}/sessions`;
    const path = `${folder}/sessions.json`;
    const index = readObject(files.text(path) ?? '');
    if (index === null) return [unreadable(path, home, owner)];
    return Object.entries(index).flatMap(([key, value]): Listed[] => {
      const row = asFields(value);
      const id = asText(row?.sessionId);
      if (row === null || id === null) return [];
      const path = pathOf(folder, id, row);
      const claim = claimOf(files, path);
      return [{ id, path, home, key, owner, claim, judgement: judgementOf(key, handled) }];
    });
  });
}

/** A conversation whose index cannot be read. Without an index the folder is not looked at. */
function unreadable(path: string, home: string, owner: string): Listed {
  const judgement = { is: 'unreadable', why: 'the index of the conversations cannot be read' } as const;
  return { id: `index-of-${owner}`, path, home, key: null, owner, claim: null, judgement, isStore: true };
}

function pathOf(folder: string, id: string, row: Fields): string {
  const named = asText(row.sessionFile);
  if (named === null) return `${folder}/${id}.jsonl`;
  return named.startsWith('/') ? named : `${folder}/${named}`;
}

/** The process that writes: it has a lock file beside the conversation. */
function claimOf(files: Files, path: string): Claim | null {
  const lock = readObject(files.text(`${path}.lock`) ?? '');
  const pid = asNumber(lock?.pid);
  if (lock === null || pid === null) return null;
  return { pid, start: asNumber(lock.starttime)?.toString() ?? null, status: 'busy', atMs: null };
}

function judgementOf(key: string, handled: string | null): Judgement | null {
  const planned = { is: 'handled', why: 'OpenClaw resumes it itself after a planned restart' } as const;
  return systemJudgement(key) ?? (key === handled ? planned : null);
}

/** The messages are small beside what is around them: all of them are kept until it was read. */
const ABOUT: LineReader<ReturnType<typeof messagesOf>, About> = {
  empty: [],
  read: (messages, lines) => [...messages, ...messagesOf(lines)],
  view: aboutOf,
};

function aboutOf(messages: ReturnType<typeof messagesOf>): About {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(asked + 1);
  const results = new Set(turn.map(({ call }) => call));
  const open = turn.flatMap(({ calls }) => calls).filter(({ id }) => !results.has(id));
  return {
    cwd: null,
    model: null,
    mode: null,
    isLive: false,
    asked: messages[asked]?.text ?? '',
    open: open.map(({ id, name, input }) => ({ id, tool: name, input })),
  };
}

/** The command that continues a conversation. A cron event would go to the main conversation, whatever its key is. */
function request({ id, key }: Listed, message: string): readonly [string, ...string[]] {
  const event = ['system', 'event', '--mode', 'now', '--session-key', key ?? id];
  return ['openclaw', ...event, '--text', message, '--timeout', '45000', '--json'];
}

/** Makes its command line talk to the gateway of this state folder. */
function envFor(env: Env, home: string): Env {
  return home === `${env.HOME ?? ''}/.openclaw` ? env : { ...env, [OPENCLAW_HOME]: home };
}
