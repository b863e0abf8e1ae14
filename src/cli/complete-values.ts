import { AGENT_MODELS } from '../api/agent-names.ts';
import { EVENT_NAMES } from '../api/event-names.ts';
import type { Outlast } from '../client/index.ts';
import { fs, path } from '../client/node.ts';
import { nameOf } from '../present/state.ts';
import type { Completes, Context } from './base/command.ts';
import { oneLine } from './base/print.ts';
import { commandOf, stateOf } from './views/view.ts';

/** A word that fits, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly says: string;
}

type Kind = Exclude<Completes, 'command'>;

const SESSIONS_MAX = 200;
const PATIENCE_MS = 1_000;
const WAITS = ['idle', 'ended', 'exit', 'held', 'approval', 'reply', 'reply:', 'event:', 'text:', 'idle-output:'];

/** The words that can be typed for a value. No daemon is started, and nothing fails in the middle of typing. */
export async function valuesOf(what: Kind, unfinished: string, context: Context): Promise<Candidate[]> {
  switch (what) {
    case 'agent':
      return plain([...Object.keys(AGENT_MODELS), ...Object.keys(configOf(context).agents)]);
    case 'model':
      return models(context);
    case 'approval':
      return asked(context, approvals);
    case 'event':
      return plain(EVENT_NAMES);
    case 'wait':
      return waits(unfinished);
    case 'session':
      return asked(context, (outlast, signal) => sessions(outlast, 'all', unfinished, signal));
    case 'live session':
      return asked(context, (outlast, signal) => sessions(outlast, 'live', unfinished, signal));
    case 'ended session':
      return asked(context, (outlast, signal) => sessions(outlast, 'ended', unfinished, signal));
    default:
      return plain(what);
  }
}

function plain(words: readonly string[]): Candidate[] {
  return [...new Set(words)].map((word) => ({ word, says: '' }));
}

/** What to wait for; several are separated with commas. */
function waits(unfinished: string): Candidate[] {
  const before = unfinished.slice(0, unfinished.lastIndexOf(',') + 1);
  const last = unfinished.slice(before.length);
  const words = last.startsWith('event:') ? EVENT_NAMES.map((name) => `event:${name}`) : WAITS;
  return plain(words.map((word) => `${before}${word}`));
}

/** The short names of models: those that every agent has, and those of the config. */
function models(context: Context): Candidate[] {
  const { models } = configOf(context);
  const built = Object.entries(AGENT_MODELS).flatMap(([agent, words]) => words.map((word) => ({ word, says: agent })));
  const own = Object.entries(models).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [{ word: name, says: value }]
      : Object.keys(value ?? {}).map((word) => ({ word, says: name })),
  );
  const all = new Map([...built, ...own].map((each) => [each.word, each]));
  return [...all.values()];
}

interface Named {
  readonly agents: object;
  readonly models: Readonly<Record<string, string | object | null>>;
}

/** The names in the config, as far as it can be read. */
function configOf({ env }: Context): Named {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || '/', '.config');
  try {
    const file = env.OUTLAST_CONFIG || path.join(folder, 'outlast', 'config.json');
    const { agents = {}, models = {} } = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Named>;
    return { agents, models };
  } catch {
    return { agents: {}, models: {} };
  }
}

async function asked(
  { connect, clock }: Context,
  ask: (outlast: Outlast, signal: AbortSignal) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const patience = new AbortController();
  void clock.sleep(PATIENCE_MS).then(() => patience.abort());
  try {
    return await ask(connect({ start: false }), patience.signal);
  } catch {
    // No error message in the middle of typing.
    return [];
  }
}

/** Pending approvals; for a session with only one its name would do, but an id is always right. */
async function approvals(outlast: Outlast, signal: AbortSignal): Promise<Candidate[]> {
  const open = await outlast.approvals.list({}, signal);
  return open.map(({ id, tool, name, session }) => ({
    word: id,
    says: oneLine(`${tool}, ${nameOf({ name, id: session })}`),
  }));
}

/** Names, and ids of sessions without a name; the id of a named one only when it is being typed. */
async function sessions(
  outlast: Outlast,
  state: 'all' | 'live' | 'ended',
  unfinished: string,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const page = await outlast.list({ limit: SESSIONS_MAX, state }, signal);
  const found = new Map<string, string>();
  for (const each of page.sessions) {
    const isTyped = unfinished !== '' && each.id.startsWith(unfinished);
    const word = isTyped ? each.id : nameOf(each);
    // Of several with the same name the newest is meant.
    if (!found.has(word)) found.set(word, `${stateOf(each)}, ${commandOf(each).slice(0, 60)}`);
  }
  return [...found].map(([word, says]) => ({ word, says }));
}
