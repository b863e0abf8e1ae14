import type { PermissionMode } from '../../core/session.ts';
import { asFields, asList, type Fields } from '../seam/json.ts';

type Action = 'ask' | 'allow' | 'deny';
type Rules = Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

/**
 * The permissions that OpenCode has names for. A rule of the user for one of them wins over a rule for all, so every
 * name is given.
 */
const NAMES = [
  ...['bash', 'edit', 'read', 'glob', 'grep', 'list', 'task', 'skill', 'lsp', 'todowrite', 'webfetch', 'websearch'],
  ...['external_directory', 'doom_loop'],
] as const;

const READS: readonly string[] = ['read', 'glob', 'grep', 'list', 'lsp', 'todowrite', 'skill', 'task'];

/** Questions to a person at a screen would never be answered, and changes of the mode are the session's business. */
const NOBODY = { question: 'deny', plan_enter: 'deny', plan_exit: 'deny' } as const;

/** OpenCode asks before it reads these, unless the user allows it. */
const READ = { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' } as const;

const AGENT = 'agent:';

/** The word for the agent of OpenCode that a conversation was with before it was taken over. */
export function agentWord(agent: 'build' | 'plan'): string {
  return `${AGENT}${agent}`;
}

/** The arguments for that agent. */
export function agentWords(word: string | undefined): string[] {
  return word?.startsWith(AGENT) ? ['--agent', word.slice(AGENT.length)] : [];
}

/** The permissions of a gated run: it asks about everything. */
export const ASK_ALL = rules(() => 'ask');

/**
 * The permissions of a run without a gate, in which every question is allowed. `none` leaves the rules of the user as
 * they are, because a rule of ours for all would come after what they deny; the other modes replace them.
 */
export function permissionsOf(mode: PermissionMode): Rules {
  switch (mode) {
    case 'none':
      return NOBODY;
    case 'edits':
    case 'auto':
      return { ...rules((name) => (name === 'edit' || READS.includes(name) ? 'allow' : 'deny')), read: READ };
    case 'ask-all':
    case 'deny-unlisted':
    case 'plan':
      return { ...rules((name) => (READS.includes(name) ? 'allow' : 'deny')), read: READ };
  }
}

function rules(actionOf: (name: string) => Action): Readonly<Record<string, Action>> {
  return { '*': actionOf('*'), ...Object.fromEntries(NAMES.map((name) => [name, actionOf(name)])), ...NOBODY };
}

/** Does a permission of the configuration let anything through without a question? */
export function configAllows({ permission, agent }: Fields): boolean {
  const agents = Object.values(asFields(agent) ?? {}).map((each) => asFields(each)?.permission);
  return asFields(permission)?.['*'] !== 'ask' || [permission, ...agents].some(allows);
}

function allows(permission: unknown): boolean {
  if (permission === 'allow') return true;
  return Object.values(asFields(permission) ?? {}).some(allows);
}

/**
 * Do the rules of one of its agents let anything through? The last rule that fits decides, so nothing after the
 * question about everything may allow. A folder outside of the workspace is an additional question: the call itself is
 * asked about in any case.
 */
export function agentsAllow(agents: readonly unknown[]): boolean {
  return agents.length === 0 || agents.some((agent) => rulesAllow(asList(asFields(agent)?.permission)));
}

function rulesAllow(list: readonly unknown[]): boolean {
  const all = list.map((rule) => asFields(rule) ?? {});
  const asks = all.findLastIndex((rule) => rule.permission === '*' && rule.pattern === '*' && rule.action === 'ask');
  return asks < 0 || all.slice(asks).some(isAllowing);
}

/** Are there rules in a conversation itself that allow something? They come after all others. */
export function sessionAllows({ permission }: Fields): boolean {
  return asList(permission).some((rule) => isAllowing(asFields(rule) ?? {}));
}

function isAllowing({ permission, action }: Fields): boolean {
  return action !== 'ask' && action !== 'deny' && permission !== 'external_directory';
}
