import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SessionView } from '../../api/shapes.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { isId, newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { type Git, type Gone, gitWith } from './git.ts';
import { hasOwnWork, hasSubmodules, lookAt, overlooked, repositoryOf, rescue } from './worktree-work.ts';

/** A new worktree, and the folder in it that corresponds to the caller's. */
export interface Made {
  readonly root: string;
  readonly workspace: string;
}

/** Where work is saved that was only in a worktree: under a rescue ref, or on its branch. */
export interface Rescued {
  readonly repository: string;
  readonly ref: string;
}

/** Our metadata beside a worktree, where git does not look. */
interface Note {
  readonly repository: string;
  readonly branch: string;
  /** True when the branch was created with the worktree. */
  readonly isOurs: boolean;
}

interface Look {
  readonly atMs: number;
  /** The last event of the session at that time. */
  readonly position: number;
  readonly seen: Promise<NonNullable<SessionView['worktree']> | null>;
}

/** How long a look is reused: it costs a few processes, and lists are often repeated. */
const LOOK_MS = 2_000;

/**
 * Git worktrees of sessions: created with them, and removed with them. Work that is nowhere else is never removed
 * unless the caller says so, and then a ref in the repository keeps it.
 */
export class Worktrees {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #git: Git;
  /** The last removal that is under way. */
  #going: Promise<void> = Promise.resolve();
  readonly #looks = new Map<string, Look>();

  constructor(state: string, clock: Clock, log: Log) {
    this.#folder = join(state, 'worktrees');
    this.#clock = clock;
    this.#log = log;
    this.#git = gitWith(clock);
  }

  /** Creates a worktree of the folder's repository, on an existing branch or a new one. */
  async make(cwd: string, wanted: { readonly branch: string; readonly name: string | undefined }): Promise<Made> {
    const id = newId(this.#clock.wallMs());
    const root = join(this.#folder, id);
    const repository = outOf(await repositoryOf(this.#git, cwd), `${cwd} is not in a git repository`);
    const prefix = await this.#ask(cwd, ['rev-parse', '--show-prefix'], `cannot read ${cwd}`);
    await this.#ask(cwd, ['rev-parse', '--verify', 'HEAD^{commit}'], `${repository} has no commit to begin with`);
    const { branch, isOurs } = await this.#branchFor(repository, wanted, id);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const where = isOurs ? ['--no-track', '-b', branch, root, 'HEAD'] : [root, branch];
    const note: Note = { repository, branch, isOurs };
    // First, so that the next daemon knows whose it is if this one dies now.
    writeFileSync(`${root}.json`, JSON.stringify(note), { mode: 0o600 });
    try {
      await this.#ask(cwd, ['worktree', 'add', ...where], `cannot make a worktree on ${branch}`);
    } catch (error) {
      // What git left half done is for the next daemon.
      if (!existsSync(root)) rmSync(`${root}.json`, { force: true });
      throw error;
    }
    const workspace = join(root, prefix.replace(/\/$/, ''));
    // A folder that is not in git has no counterpart.
    return { root, workspace: existsSync(workspace) ? workspace : root };
  }

  /** Removes a worktree that was created for a start that failed. */
  async undo({ root }: Made): Promise<void> {
    const note = this.#noteOf(root);
    if (note !== null) await this.#remove(root, note, note.isOurs);
  }

  /** The work in the worktree of a session, up to its last event; null: it has none, or git fails. */
  look(workspace: string, position: number): Promise<NonNullable<SessionView['worktree']> | null> {
    const root = this.#rootOf(workspace);
    const note = root === null ? null : this.#noteOf(root);
    if (root === null || note === null) return Promise.resolve(null);
    const nowMs = this.#clock.steadyMs();
    const known = this.#looks.get(root);
    // A caller that waited for an answer must not get the state from before it.
    const isFresh = known?.position === position && nowMs - known.atMs < LOOK_MS;
    if (known !== undefined && isFresh) return known.seen;
    const seen = lookAt(this.#git, root, note.repository);
    this.#looks.set(root, { atMs: nowMs, position, seen });
    return seen;
  }

  /** Removes the worktree of a session, unless another session works in it. Refuses when work would be lost. */
  async letGo(session: Removed, how: LetGo): Promise<Rescued | null> {
    const root = this.#rootOf(session.workspace);
    const note = root === null ? null : this.#noteOf(root);
    if (root === null || note === null) return null;
    // One after the other: two at once would each believe that the other's branch keeps their common work.
    const gone = this.#going.then(() => this.#letGo(root, note, session.id, how));
    this.#going = gone.then(nothing, nothing);
    return gone;
  }

  async #letGo(root: string, note: Note, session: string, how: LetGo): Promise<Rescued | null> {
    if (how.others().some((other) => this.#rootOf(other) === root)) return null;
    if (!existsSync(root)) return this.#forget(root, note).then(() => null);
    const seen = await lookAt(this.#git, root, note.repository);
    if (seen === null) throw unsaved(`git cannot read ${root}: save what you need, and remove the folder`);
    if (await hasSubmodules(this.#git, root))
      throw unsaved(`${root} has submodules, which no ref can keep: save what is in them, and remove the folder`);
    const dirty = seen.dirty + (await overlooked(this.#git, root));
    const isLost = dirty > 0 || (seen.branch === null && seen.ahead > 0);
    if (isLost && !how.discard)
      throw unsaved(`${root} has work that exists nowhere else: ${workText({ ...seen, dirty })}`);
    const isRescue = how.discard && (dirty > 0 || seen.ahead > 0);
    const rescued = isRescue ? await this.#rescue(root, note, session) : null;
    const isKept = how.discard && seen.branch === note.branch;
    // Our branch, not the current one: the agent may have switched away from ours with work on it.
    const isSpare = note.isOurs && (isKept || !(await hasOwnWork(this.#git, note.repository, note.branch)));
    await this.#remove(root, note, isSpare);
    const isOnBranch = seen.branch !== null && seen.ahead > 0;
    return rescued ?? (isOnBranch ? { repository: note.repository, ref: `refs/heads/${seen.branch}` } : null);
  }

  async #rescue(root: string, { repository }: Note, session: string): Promise<Rescued> {
    const kept = await rescue(this.#git, root, session);
    if (!kept.ok) throw unsaved(`${root}: its work could not be kept under a rescue ref: ${kept.why}`);
    this.#log('work was saved', { session, repository, ref: kept.out });
    return { repository, ref: kept.out };
  }

  /**
   * After a start: removes worktrees without a session, if they contain no work. Those that are older than the journal
   * may belong to a session that it does not know.
   */
  async sweep(workspaces: () => readonly string[], since = ''): Promise<void> {
    // Metadata without a folder: the worktree was never created, or someone removed it.
    const found = existsSync(this.#folder) ? readdirSync(this.#folder).map((name) => name.replace(/\.json$/, '')) : [];
    const names = new Set(found.filter((name) => isId(name) && name > since));
    if (names.size === 0) return;
    const used = new Set(workspaces().map((workspace) => this.#rootOf(workspace)));
    for (const root of [...names].map((name) => join(this.#folder, name)).filter((each) => !used.has(each)))
      await this.letGo({ id: '', workspace: root }, { discard: false, others: () => [] }).catch((error) =>
        this.#log('a worktree without a session is kept', { root, why: String(error) }),
      );
  }

  async #branchFor(repository: string, wanted: { branch: string; name: string | undefined }, id: string) {
    const isThere = async (branch: string): Promise<boolean> =>
      (await this.#git(repository, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`])).ok;
    if (wanted.branch !== '') {
      const words = ['check-ref-format', '--branch', wanted.branch];
      await this.#ask(repository, words, `"${wanted.branch}" is not a valid branch name`);
      return { branch: wanted.branch, isOurs: !(await isThere(wanted.branch)) };
    }
    const plain = `outlast/${wanted.name ?? id}`;
    return { branch: (await isThere(plain)) ? `${plain}-${id}` : plain, isOurs: true };
  }

  async #remove(root: string, { repository, branch }: Note, withBranch: boolean): Promise<void> {
    await this.#ask(repository, ['worktree', 'remove', '--force', root], `cannot remove ${root}`);
    this.#looks.delete(root);
    rmSync(`${root}.json`, { force: true });
    if (withBranch) await this.#dropBranch(repository, branch);
  }

  /** Handles a worktree that someone removed by hand: git still lists it, and its branch as in use. */
  async #forget(root: string, { repository, branch, isOurs }: Note): Promise<void> {
    const gone = await this.#git(repository, ['worktree', 'remove', '--force', root]);
    if (!gone.ok) this.#log('a missing worktree could not be pruned', { repository, root, why: gone.why });
    rmSync(`${root}.json`, { force: true });
    if (isOurs && !(await hasOwnWork(this.#git, repository, branch))) await this.#dropBranch(repository, branch);
  }

  async #dropBranch(repository: string, branch: string): Promise<void> {
    const gone = await this.#git(repository, ['branch', '-D', '--', branch]);
    if (!gone.ok) this.#log('a branch could not be deleted', { repository, branch, why: gone.why });
  }

  /** The worktree of a folder. */
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
  /** The caller allows unsaved work to be discarded. */
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
