// Conversations whose ids the agent chooses: how one is found that had no known id when its process ended.
import type { ConversationId, Session } from '../../src/core/session.ts';
import type { ConversationSearch, TerminalSnapshot, TranscriptSnapshot } from '../../src/core/snapshot.ts';
import { GONE, type Process } from './process.ts';
import type { Unnamed } from './scripts.ts';
import type { World } from './world.ts';

const UNNAMED: readonly Unnamed[] = ['unnamedDeaf', 'unnamedCrash', 'unnamedAnswer'];

/** The process does not report the id of its conversation. */
export function isUnnamed(world: World): boolean {
  return UNNAMED.some((glitch) => world.isGlitchPending(glitch));
}

/** Ends the process at this prompt, if the glitch of the script says so. Returns whether it did. */
export function endUnnamed(world: World, p: Process, token: string): boolean {
  const glitch = UNNAMED.find((one) => world.takeGlitch(one));
  if (glitch === undefined) return false;
  if (glitch !== 'unnamedDeaf') {
    world.conversation.receive(token, world.nowMs);
    world.ledger.push(`received ${token}`);
  }
  if (glitch === 'unnamedAnswer') {
    world.ledger.push(`answer ${token}`);
    world.conversation.end('closed', `Did ${token}.`, world.nowMs);
  }
  Object.assign(p, GONE, { status: 137 });
  return true;
}

/** The search for a conversation, as src/supervisor/conversation-search.ts does it. */
export class Search {
  readonly #world: World;
  #sinceMs: number | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** What the transcript shows while the id of the conversation is unknown. */
  snapshot(session: Session, terminal: TerminalSnapshot): Partial<TranscriptSnapshot> {
    const { script, conversation, nowMs } = this.#world;
    if (script.ownIds === undefined || session.conversation.id !== null) return {};
    const nothing = { received: [], turn: 'open', reply: '' } as const;
    const hidden = { ...(script.ownIds.inOutput ? conversation.snapshot(nowMs, 0) : nothing), exists: false };
    const isSent = session.prompts.some((p) => p.run > 0 && p.state !== 'queued');
    if (!isSent || terminal.is === 'alive' || session.phase.at === 'opening') return hidden;
    return { ...hidden, search: this.#found() };
  }

  #found(): ConversationSearch {
    const { script, conversation, nowMs } = this.#world;
    this.#sinceMs ??= nowMs;
    const { first, ms = Number.POSITIVE_INFINITY } = script.ownIds ?? {};
    if (first !== undefined && nowMs < this.#sinceMs + ms) return { is: first, why: 'the search is undecided' };
    if (!conversation.snapshot(nowMs, 0).exists) return { is: 'none' };
    return { is: 'found', conversation: 'c1' as ConversationId, transcript: '/t' };
  }
}
