import type { About, Conversations, Files, FoundMode, Listed } from '../seam/conversations.ts';
import { asFields, asText, type Fields } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { holderOf, isWriter, mayHold } from './holder.ts';
import { agentWord } from './permissions.ts';
import { opencodeHome } from './sources.ts';
import { opencodeStored, rowFacts } from './store.ts';
import { isAsked, judgeRows, messagesIn, openCalls, textOf } from './tail.ts';

type Env = Readonly<Record<string, string>>;

/** The conversations of OpenCode. */
export const opencodeConversations: Conversations = {
  agent: 'opencode',
  homes,
  // All of them are in its database.
  list: () => [],
  isNoise: () => false,
  judge: judgeRows,
  about,
  resume: { as: 'session', env: envFor },
  stored: opencodeStored,
  isWriter,
  holderOf,
  mayHold,
};

/** Folders of data are found by their parent, so their own name is given. */
function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const named = more.map((folder) => folder.replace(/\/+$/, '')).filter((folder) => folder.endsWith('/opencode'));
  const all = [`${env.HOME ?? ''}/.local/share/opencode`, opencodeHome(env), ...named];
  return [...new Set(all)].filter((folder) => files.names(folder).includes('opencode.db'));
}

function about(_first: string, { stored }: Listed): LineReader<readonly string[], About> {
  const row = stored === undefined ? {} : rowFacts(stored.row);
  return { empty: [], read: (pieces, text) => [...pieces, text], view: (pieces) => aboutOf(pieces.join(''), row) };
}

function aboutOf(text: string, { directory }: Fields): About {
  const messages = messagesIn(text) ?? [];
  const user = messages.findLast(({ data }) => data.role === 'user')?.data;
  const model = asFields(user?.model);
  const [provider, id] = [asText(model?.providerID), asText(model?.modelID)];
  return {
    cwd: asText(directory),
    model: provider === null || id === null ? null : `${provider}/${id}`,
    mode: modeOf(asText(user?.agent)),
    // Its database does not say whether it was on a screen.
    isLive: false,
    asked: textOf(messages.findLast(isAsked)),
    open: openCalls(messages),
  };
}

/**
 * What it was allowed is not recorded, only with which agent of OpenCode it was: a run of ours has the same one, and
 * is denied what may be asked about. Instead of an agent that is gone OpenCode takes another one, which may do more.
 */
function modeOf(agent: string | null): FoundMode | null {
  if (agent === null || agent === 'build') return { mode: 'ask-all', word: agentWord('build') };
  if (agent === 'plan') return { mode: 'plan', word: agentWord('plan') };
  return { lost: `it was with the agent ${agent} of OpenCode, whose permissions are not known` };
}

/** Leaves the variable unset for the default folder. */
function envFor(env: Env, folder: string): Env {
  return folder === opencodeHome(env) ? env : { ...env, XDG_DATA_HOME: folder.slice(0, folder.lastIndexOf('/')) };
}
