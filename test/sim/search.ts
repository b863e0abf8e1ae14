// Conversations whose ids the agent chooses: what becomes of one that it had not named when its process ended.
import type { ConversationId, Session } from '../../src/core/session.ts';
import type { ConversationSearch, TerminalSnapshot, TranscriptSnapshot } from '../../src/core/snapshot.ts';
import { GONE, type Process } from './process.ts';
import type { Unnamed } from './scripts.ts';
import type { World } from './world.ts';

const UNNAMED: readonly Unnamed[] = ['unnamedDeaf', 'unnamedCrash', 'unnamedAnswer'];

/** Its process says nothing of its conversation. */
export function isUnnamed(world: World): boolean {
  return UNNAMED.some((trouble) => world.isAhead(trouble));
}

/** The process ends with the prompt that it was given, as the trouble of the script says. False: it does not. */
export function endUnnamed(world: World, p: Process, token: string): boolean {
  const trouble = UNNAMED.find((one) => world.befalls(one));
  if (trouble === undefined) return false;
  if (trouble !== 'unnamedDeaf') {
    world.conversation.hear(token, world.nowMs);
    world.ledger.push(`hear ${token}`);
  }
  if (trouble === 'unnamedAnswer') {
    world.ledger.push(`answer ${token}`);
    world.conversation.end('closed', `Did ${token}.`, world.nowMs);
  }
  Object.assign(p, GONE, { status: 137 });
  return true;
}

/** As src/supervisor/conversation-search.ts looks for it. */
export class Search {
  readonly #world: World;
  #sinceMs: number | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** What the record shows where nobody knows which conversation it is. */
  snapshot(session: Session, terminal: TerminalSnapshot): Partial<TranscriptSnapshot> {
    const { script, conversation, nowMs } = this.#world;
    if (script.ownIds === undefined || session.conversation.id !== null) return {};
    const nothing = { received: [], turn: 'open', reply: '' } as const;
    const hidden = { ...(script.ownIds.said ? conversation.snapshot(nowMs, 0) : nothing), exists: false };
    const isSent = session.prompts.some((p) => p.run > 0 && p.state !== 'queued');
    if (!isSent || terminal.is === 'alive' || session.phase.at === 'opening') return hidden;
    return { ...hidden, search: this.#found() };
  }

  #found(): ConversationSearch {
    const { script, conversation, nowMs } = this.#world;
    this.#sinceMs ??= nowMs;
    const { first, ms = Number.POSITIVE_INFINITY } = script.ownIds ?? {};
    if (first !== undefined && nowMs < this.#sinceMs + ms) return { is: first, why: 'so it is' };
    if (!conversation.snapshot(nowMs, 0).exists) return { is: 'none' };
    return { is: 'found', conversation: 'c1' as ConversationId, transcript: '/t' };
  }
}
