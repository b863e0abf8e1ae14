import type { Conversations } from '../../agent/seam/conversations.ts';
import type { BootView, ConversationView } from '../../api/contract-boot.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Journal } from '../../journal/journal.ts';
import { realFiles } from '../../supervisor/process-facts.ts';
import type { Config } from '../config/schema.ts';
import { Ledger, TRIES_MAX } from './ledger.ts';
import { isMeant, isNaming, onlyNamed, shown, wantedIn } from './named.ts';
import { ourAgentsIn, oursIn } from './ours.ts';
import { PendingInterruptions } from './pending-interruptions.ts';
import { type Caller, type Did, type ResumeParts, resume } from './resume.ts';
import { judgeAgain, type ScanParts, type Seen, scan } from './scan.ts';
import { staggered } from './staggered.ts';
import { summaryOf } from './summary.ts';

/** The dependencies of the scan for interrupted conversations. */
export interface BootParts extends ResumeParts {
  readonly state: string;
  readonly config: Pick<Config, 'boot'>;
  readonly journal: Pick<Journal, 'list' | 'taken' | 'find' | 'onAppend' | 'head'>;
  readonly conversations: readonly Conversations[];
  readonly log: Log;
  /** The caller of resumes that the daemon starts by itself. */
  readonly caller: Caller;
  /** Sends the notices about a scan; returns whether that is finished. */
  readonly tell: (boot: BootView, stopping: AbortSignal) => Promise<boolean>;
}

/** The options of one scan. */
export interface Wanted {
  readonly why: BootView['why'];
  readonly caller: Caller;
  readonly dryRun: boolean;
  readonly windowMs: number;
  readonly delayMs: number;
  /** Only these agents; empty: those of the config. */
  readonly only: readonly string[];
  readonly limit: number;
  /** Ids, or all; empty: according to the policy. */
  readonly resume: readonly string[];
  /** Sends notices about what is new, even though a caller requested the scan. */
  readonly tell: boolean;
}

/** How many resumes start at the same time, and how far apart. */
const AT_ONCE_MAX = 4;
const APART_MS = 500;
const STOP_MS_MAX = 1_000;

/** Finds interrupted conversations and resumes them: after a boot, after a sleep, and on request. */
export class Boot {
  readonly #parts: BootParts;
  readonly #ledger: Ledger;
  readonly #stopping = new AbortController();
  /** One scan at a time: two at once would resume everything twice. */
  #last: Promise<unknown> = Promise.resolve();
  #telling: Promise<void> = Promise.resolve();
  readonly #pending = new PendingInterruptions();

  constructor(parts: BootParts) {
    this.#parts = parts;
    this.#ledger = new Ledger(parts.state);
    for (const boot of this.#ledger.last(Number.POSITIVE_INFINITY).reverse()) this.#pending.add(boot);
    const unsent = this.#ledger.unsent();
    if (unsent !== null) this.#telling = this.#send(unsent);
  }

  /**
   * Scans for conversations that a boot or a sleep interrupted at that time. Never throws; returns whether it finished,
   * and did not fail or get cut short by the end of the daemon.
   */
  async interrupted(why: 'boot' | 'wake', fromMs: number | null): Promise<boolean> {
    const { config, caller, log } = this.#parts;
    const { windowMs, delayMs, limit, foreign } = config.boot;
    try {
      // Saved also for scans that are requested later.
      if (why === 'wake') this.#ledger.setSlept(fromMs);
      else this.#ledger.setDown(fromMs);
      if (foreign === 'off') return true;
      await this.run({ why, caller, dryRun: false, windowMs, delayMs, limit, only: [], resume: [], tell: true });
    } catch (error) {
      // For example a full disk: the next daemon tries again.
      log('the scan for interrupted conversations failed', { why: String(error) });
      return false;
    }
    return !this.#stopping.signal.aborted;
  }

  /** Scans, judges, and resumes what the options and the policy select. */
  run(wanted: Wanted): Promise<BootView> {
    // A dry run need not wait for running resumes.
    if (wanted.dryRun) return this.#look(wanted);
    const looked = this.#last.then(() => this.#look(wanted));
    this.#last = looked.catch(() => {});
    return looked;
  }

  /** The newest scans, newest first. */
  last(limit: number): BootView[] {
    return this.#ledger.last(limit);
  }

  /** The interruptions that wait for a person, in one line; null: none. */
  pending(): string | null {
    return this.#pending.words();
  }

  /** Every conversation with this id or id prefix, judged, whenever it was last active. */
  async find(id: string, caller: Caller): Promise<Seen[]> {
    const isWanted = (one: string): boolean => isMeant(id, one);
    const parts = { ...this.#scanParts(caller, [], Number.POSITIVE_INFINITY), isWanted, isNamed: true };
    return [...(await scan(parts)).seen];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // A program that was asked to resume may take its time; a later scan finds the result.
    await Promise.race([Promise.all([this.#last, this.#telling]), this.#parts.clock.sleep(STOP_MS_MAX)]);
  }

  async #look(wanted: Wanted): Promise<BootView> {
    const { clock, config, log } = this.#parts;
    const { why, dryRun, caller } = wanted;
    const atMs = clock.wallMs();
    const parts = { ...this.#scanParts(caller, wanted.only, wanted.windowMs), isWanted: wantedIn(wanted.resume) };
    const { seen: all, counts, tookMs } = await scan(parts);
    const seen = onlyNamed(wanted.resume, all);
    const chosen = dryRun ? [] : this.#chosen(seen, wanted);
    if (chosen.length > 0) {
      log('conversations will be resumed', { count: chosen.length, inMs: wanted.delayMs });
      await clock.sleep(wanted.delayMs, this.#stopping.signal);
    }
    const signal = this.#stopping.signal;
    const dids = await staggered(chosen, { atOnceMax: AT_ONCE_MAX, apartMs: APART_MS, clock, signal }, (one) =>
      this.#resume(one, parts, caller),
    );
    const did = new Map(chosen.map((one, i) => [one, dids[i] ?? NOT_TRIED]));
    const conversations = shown(seen).map((one) => viewOf(one, did.get(one) ?? this.#untried(one, wanted)));
    const found = { atMs, why, foreign: config.boot.foreign, dryRun, tookMs, counts, conversations };
    const boot: BootView = { ...found, summary: summaryOf(found) };
    log('conversations were scanned', { why, summary: boot.summary });
    if (!dryRun) this.#keep(boot, wanted.tell);
    return boot;
  }

  #keep(boot: BootView, tell: boolean): void {
    const isSent = tell && (boot.why !== 'asked' || this.#pending.isChanged(boot));
    this.#pending.add(boot);
    this.#ledger.add(boot);
    if (isSent) this.#tell(boot);
  }

  /** Sends the notices. If the daemon ends meanwhile, the next one sends them: twice is better than never. */
  #tell(boot: BootView): void {
    this.#ledger.setUnsent(boot);
    this.#telling = this.#send(boot);
  }

  async #send(boot: BootView): Promise<void> {
    try {
      if (await this.#parts.tell(boot, this.#stopping.signal)) this.#ledger.setUnsent(null);
    } catch (error) {
      this.#parts.log('the notice about a scan cannot be sent', { why: String(error) });
    }
  }

  #chosen(seen: readonly Seen[], { resume: named, limit }: Wanted): Seen[] {
    const { foreign } = this.#parts.config.boot;
    const isWanted = named.length > 0 || foreign === 'auto';
    // A caller that names a conversation wants it tried again.
    if (isNaming(named)) for (const { listed } of seen) this.#ledger.clear(listed.id);
    const isAllowed = ({ listed }: Seen): boolean => this.#ledger.tries(listed.id) < TRIES_MAX;
    return seen.filter((one) => isWanted && one.is === 'interrupted' && isAllowed(one)).slice(0, limit);
  }

  async #resume(seen: Seen, parts: ScanParts, caller: Caller): Promise<Did> {
    const { clock, journal } = this.#parts;
    const { id } = seen.listed;
    // Time has passed: someone may have continued it meanwhile.
    const now = await judgeAgain(seen, {
      ...parts,
      ours: oursIn(journal),
      isOurAgent: ourAgentsIn(journal),
    });
    if (now?.is !== 'interrupted') return { ...NOT_TRIED, detail: now?.why ?? 'its file is gone' };
    this.#ledger.charge(id, clock.wallMs());
    const did = await this.#tried(now, caller);
    if (did.did !== 'failed') this.#ledger.clear(id);
    return did;
  }

  async #tried(seen: Seen, caller: Caller): Promise<Did> {
    try {
      return await resume(this.#parts, seen, caller, this.#stopping.signal);
    } catch (error) {
      return { did: 'failed', detail: error instanceof Error ? error.message : String(error), session: null };
    }
  }

  /** The result for a conversation that was not tried. A caller that asked for all is told why. */
  #untried({ is, listed }: Seen, { dryRun, resume: named }: Wanted): Did {
    const tries = is === 'interrupted' ? this.#ledger.tries(listed.id) : 0;
    if (tries < TRIES_MAX) return NOT_TRIED;
    const did = !dryRun && named.includes('all') ? 'failed' : 'nothing';
    return { did, detail: `skipped after ${tries} failed tries`, session: null };
  }

  #scanParts(caller: Caller, only: readonly string[], windowMs: number): ScanParts {
    const { clock, config, conversations, journal } = this.#parts;
    const names = only.length > 0 ? only : config.boot.agents;
    const known = conversations.map(({ agent }) => agent);
    const strange = only.filter((name) => !known.includes(name));
    if (strange.length > 0)
      throw new OutlastError('input_invalid', `only: "${strange.join('", "')}" is not one of ${known.join(', ')}`);
    return {
      clock,
      files: realFiles,
      conversations: conversations.filter(({ agent }) => names.includes(agent)),
      env: caller.env,
      folders: config.boot.folders,
      windowMs,
      aliveAtMs: this.#ledger.down(),
      sleptAtMs: this.#ledger.slept(),
      ours: oursIn(journal),
      isOurAgent: ourAgentsIn(journal),
      isWanted: () => true,
    };
  }
}

const NOT_TRIED: Did = { did: 'nothing', detail: null, session: null };

function viewOf({ listed, keeper, atMs, bytes, is, why, skipped }: Seen, did: Did): ConversationView {
  const { id, path } = listed;
  return { agent: keeper.agent, id, path, atMs, bytes, verdict: is, why, skipped, ...did };
}
