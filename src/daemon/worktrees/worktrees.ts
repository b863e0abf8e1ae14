import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SessionView } from '../../api/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { isId, newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { type Git, type Gone, gitWith } from './git.ts';
import { hasOwnWork, hasSubmodules, lookAt, overlooked, repositoryOf, rescue } from './worktree-work.ts';

/** A worktree that was made, and the folder in it that stands for the one the caller was in. */
export interface Made {
  readonly root: string;
  readonly workspace: string;
}

/** Where work is kept that was only in a worktree: under a rescue ref, or on its branch. */
export interface Rescued {
  readonly repository: string;
  readonly ref: string;
}

/** What we keep beside a worktree, where git does not look. */
interface Note {
  readonly repository: string;
  readonly branch: string;
  /** Did the branch begin with it? */
  readonly isOurs: boolean;
}

interface Look {
  readonly atMs: number;
  /** The last event of the session by then. */
  readonly position: number;
  readonly seen: Promise<NonNullable<SessionView['worktree']> | null>;
}

/** A look is a few processes; whoever lists again and again gets the same one for a moment. */
const LOOK_MS = 2_000;

/**
 * Git worktrees of sessions: made with their start, and taken away with them. Work that is nowhere else is never taken
 * away without a word that says so, and with that word a ref in the repository keeps it.
 */
export class Worktrees {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #git: Git;
  /** The last of those that are taken away. */
  #going: Promise<void> = Promise.resolve();
  readonly #looks = new Map<string, Look>();

  constructor(state: string, clock: Clock, log: Log) {
    this.#folder = join(state, 'worktrees');
    this.#clock = clock;
    this.#log = log;
    this.#git = gitWith(clock);
  }

  /** Makes one of the repository that a folder is in, on a branch that is there or on a new one. */
  async make(cwd: string, wish: { readonly branch: string; readonly name: string | undefined }): Promise<Made> {
    const id = newId(this.#clock.wallMs());
    const root = join(this.#folder, id);
    const repository = outOf(await repositoryOf(this.#git, cwd), `${cwd} is in no git repository`);
    const prefix = await this.#ask(cwd, ['rev-parse', '--show-prefix'], `cannot read ${cwd}`);
    await this.#ask(cwd, ['rev-parse', '--verify', 'HEAD^{commit}'], `${repository} has no commit to begin with`);
    const { branch, isOurs } = await this.#branchFor(repository, wish, id);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const where = isOurs ? ['--no-track', '-b', branch, root, 'HEAD'] : [root, branch];
    const note: Note = { repository, branch, isOurs };
    // First, so that the next daemon knows whose it is if this one dies now.
    writeFileSync(`${root}.json`, JSON.stringify(note), { mode: 0o600 });
    try {
      await this.#ask(cwd, ['worktree', 'add', ...where], `cannot make a worktree on ${branch}`);
    } catch (error) {
      // What git left in the middle is for the next daemon.
      if (!existsSync(root)) rmSync(`${root}.json`, { force: true });
      throw error;
    }
    const workspace = join(root, prefix.replace(/\/$/, ''));
    // A folder that git does not know has no counterpart.
    return { root, workspace: existsSync(workspace) ? workspace : root };
  }

  /** Takes away one that was made for a start which came to nothing. */
  async undo({ root }: Made): Promise<void> {
    const note = this.#noteOf(root);
    if (note !== null) await this.#remove(root, note, note.isOurs);
  }

  /** How much work is in the worktree of a session, up to its last event; null: it has none, or git does not say. */
  look(workspace: string, position: number): Promise<NonNullable<SessionView['worktree']> | null> {
    const root = this.#rootOf(workspace);
    const note = root === null ? null : this.#noteOf(root);
    if (root === null || note === null) return Promise.resolve(null);
    const nowMs = this.#clock.steadyMs();
    const known = this.#looks.get(root);
    // Whoever waited for an answer must not be told what was there before it.
    const isFresh = known?.position === position && nowMs - known.atMs < LOOK_MS;
    if (known !== undefined && isFresh) return known.seen;
    const seen = lookAt(this.#git, root, note.repository);
    this.#looks.set(root, { atMs: nowMs, position, seen });
    return seen;
  }

  /** Takes the worktree of a session away, unless somebody else works in it. Refuses when work would be lost. */
  async letGo(session: Removed, how: LetGo): Promise<Rescued | null> {
    const root = this.#rootOf(session.workspace);
    const note = root === null ? null : this.#noteOf(root);
    if (root === null || note === null) return null;
    // One after the other: two at once would each believe that the other's branch keeps what both have.
    const gone = this.#going.then(() => this.#letGo(root, note, session.id, how));
    this.#going = gone.then(nothing, nothing);
    return gone;
  }

  async #letGo(root: string, note: Note, session: string, how: LetGo): Promise<Rescued | null> {
    if (how.others().some((other) => this.#rootOf(other) === root)) return null;
    if (!existsSync(root)) return this.#forget(root, note).then(() => null);
    const seen = await lookAt(this.#git, root, note.repository);
    if (seen === null) throw unsaved(`git cannot say what is in ${root}: save what you need, and remove the folder`);
    if (await hasSubmodules(this.#git, root))
      throw unsaved(`${root} has submodules, which no ref can keep: save what is in them, and remove the folder`);
    const dirty = seen.dirty + (await overlooked(this.#git, root));
    const isLost = dirty > 0 || (seen.branch === null && seen.ahead > 0);
    if (isLost && !how.discard)
      throw unsaved(`${root} holds work that is nowhere else: ${workText({ ...seen, dirty })}`);
    const isRescue = how.discard && (dirty > 0 || seen.ahead > 0);
    const rescued = isRescue ? await this.#rescue(root, note, session) : null;
    const isKept = how.discard && seen.branch === note.branch;
    // Of our branch, not of the one it is on now: whoever worked in it may have left ours with work on it.
    const isSpare = note.isOurs && (isKept || !(await hasOwnWork(this.#git, note.repository, note.branch)));
    await this.#remove(root, note, isSpare);
    const isOnBranch = seen.branch !== null && seen.ahead > 0;
    return rescued ?? (isOnBranch ? { repository: note.repository, ref: `refs/heads/${seen.branch}` } : null);
  }

  async #rescue(root: string, { repository }: Note, session: string): Promise<Rescued> {
    const kept = await rescue(this.#git, root, session);
    if (!kept.ok) throw unsaved(`${root}: its work could not be kept under a rescue ref: ${kept.why}`);
    this.#log('work was kept', { session, repository, ref: kept.out });
    return { repository, ref: kept.out };
  }

  /**
   * After a start: worktrees that no session has, as far as nothing is in them. Those that are older than the journal
   * may be in use by a session that it does not know.
   */
  async sweep(workspaces: () => readonly string[], since = ''): Promise<void> {
    // A note without a folder is one that was never made, or that somebody took away.
    const found = existsSync(this.#folder) ? readdirSync(this.#folder).map((name) => name.replace(/\.json$/, '')) : [];
    const names = new Set(found.filter((name) => isId(name) && name > since));
    if (names.size === 0) return;
    const used = new Set(workspaces().map((workspace) => this.#rootOf(workspace)));
    for (const root of [...names].map((name) => join(this.#folder, name)).filter((each) => !used.has(each)))
      await this.letGo({ id: '', workspace: root }, { discard: false, others: () => [] }).catch((error) =>
        this.#log('a worktree without a session is kept', { root, why: String(error) }),
      );
  }

  async #branchFor(repository: string, wish: { branch: string; name: string | undefined }, id: string) {
    const isThere = async (branch: string): Promise<boolean> =>
      (await this.#git(repository, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`])).ok;
    if (wish.branch !== '') {
      const words = ['check-ref-format', '--branch', wish.branch];
      await this.#ask(repository, words, `"${wish.branch}" is no name for a branch`);
      return { branch: wish.branch, isOurs: !(await isThere(wish.branch)) };
    }
    const plain = `outlast/${wish.name ?? id}`;
    return { branch: (await isThere(plain)) ? `${plain}-${id}` : plain, isOurs: true };
  }

  async #remove(root: string, { repository, branch }: Note, withBranch: boolean): Promise<void> {
    await this.#ask(repository, ['worktree', 'remove', '--force', root], `cannot remove ${root}`);
    this.#looks.delete(root);
    rmSync(`${root}.json`, { force: true });
    if (withBranch) await this.#dropBranch(repository, branch);
  }

  /** One that somebody took away by hand: git believes that it is there, and its branch in use. */
  async #forget(root: string, { repository, branch, isOurs }: Note): Promise<void> {
    const gone = await this.#git(repository, ['worktree', 'remove', '--force', root]);
    if (!gone.ok) this.#log('a worktree that is gone could not be forgotten', { repository, root, why: gone.why });
    rmSync(`${root}.json`, { force: true });
    if (isOurs && !(await hasOwnWork(this.#git, repository, branch))) await this.#dropBranch(repository, branch);
  }

  async #dropBranch(repository: string, branch: string): Promise<void> {
    const gone = await this.#git(repository, ['branch', '-D', '--', branch]);
    if (!gone.ok) this.#log('a branch stays', { repository, branch, why: gone.why });
  }

  /** The worktree that a folder is in. */
  #rootOf(workspace: string): string | null {
    const inside = relative(this.#folder, workspace).split('/')[0] ?? '';
    return isId(inside) ? join(this.#folder, inside) : null;
  }

  #noteOf(root: string): Note | null {
    try {
      return JSON.parse(readFileSync(`${root}.json`, 'utf8')) as Note;
    } catch {
      return null;
    }
  }

  async #ask(cwd: string, words: readonly string[], otherwise: string): Promise<string> {
    return outOf(await this.#git(cwd, words), otherwise);
  }
}

function outOf(gone: Gone, otherwise: string): string {
  if (gone.ok) return gone.out;
  throw new OutlastError('worktree_failed', `${otherwise}: ${gone.why}`);
}

interface Removed {
  readonly id: string;
  readonly workspace: string;
}

interface LetGo {
  /** Somebody said that the work in it may go. */
  readonly discard: boolean;
  /** Workspaces of all other sessions. */
  readonly others: () => readonly string[];
}

function workText({ dirty, ahead }: { dirty: number; ahead: number }): string {
  return `${dirty} changed ${dirty === 1 ? 'file' : 'files'}, ${ahead} ${ahead === 1 ? 'commit' : 'commits'}`;
}

function nothing(): void {}

function unsaved(message: string): OutlastError {
  return new OutlastError('worktree_unsaved', message);
}
