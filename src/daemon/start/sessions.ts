import { rmSync } from 'node:fs';
import { driveOf, knownAgent } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { Clock } from '../../base/clock.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { causeText } from '../../base/system-errors.ts';
import { type Actor, byHost } from '../../core/actor.ts';
import { inputId } from '../../core/cause.ts';
import type { Input, InputId } from '../../core/event.ts';
import { fold } from '../../core/fold.ts';
import { withImages } from '../../core/image.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { PromptId, Session, SessionId, Spec, TerminalKind } from '../../core/session.ts';
import type { Journal, Row } from '../../journal/journal.ts';
import { keepCallerProcess } from '../../supervisor/caller-process.ts';
import { type DeadPanesWorld, freeAllPanes, freeDeadPanes } from '../../supervisor/dead-panes.ts';
import type { Exits } from '../../supervisor/exits.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import type { Supervisor } from '../../supervisor/supervisor.ts';
import { keepWithin } from '../../terminal/output-cap.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Config } from '../config/schema.ts';
import { folderIds } from '../journal/folders.ts';
import { SINCE } from '../journal/rebuild.ts';
import { cappedFiles } from '../views/output-files.ts';
import { withNote } from '../views/spawn-note.ts';
import type { Rescued, Worktrees } from '../worktrees/worktrees.ts';
import type { TakeOver } from './agent-start.ts';
import { Callers } from './callers.ts';
import { storeImages } from './images.ts';
import { prepare } from './prepare.ts';
import { refusal } from './refusals.ts';
import type { OwnedStart } from './spawn-start.ts';
import type { Start } from './start.ts';

export interface SessionsParts {
  readonly state: string;
  readonly config: Config;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly exits: Exits;
  readonly worktrees: Worktrees;
  readonly log: Log;
  readonly supervisor: () => Supervisor;
}

/** The result of a start. */
export interface Started {
  readonly row: Row;
  readonly warnings: readonly string[];
  readonly prompt: PromptId | null;
}

/** The id of the first prompt, which comes with the start. */
const FIRST = 'first' as PromptId;

/** The sessions of callers: found by id or name, started, changed, ended and removed. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly callers: Callers;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.callers = new Callers(parts.clock, (id) => this.#leave(id, byHost('caller-left')));
  }

  find(word: string): Row {
    const row = this.#parts.journal.find(word);
    if (row === null) throw new OutlastError('session_not_found', `there is no session "${word}"`);
    return row;
  }

  /** The session as its events describe it, even a removed one; null when they are gone. */
  fold(id: SessionId): Session | null {
    return fold(this.#parts.journal.session(id).events);
  }

  /** The sessions with open questions, in their current state. */
  asking(): Session[] {
    const { journal, supervisor } = this.#parts;
    return journal
      .live()
      .flatMap((id) => supervisor().get(id) ?? journal.find(id)?.session ?? [])
      .filter((session) => openQuestionsOf(session).length > 0);
  }

  /** Starts a session. With `over` it continues a conversation that was started elsewhere. */
  start(input: OwnedStart, over: TakeOver | null = null): Started {
    const { journal, clock, state } = this.#parts;
    const cause = inputId('start', input.key ?? newId(clock.wallMs()));
    const before = journal.taken(cause);
    if (before !== null) return { row: this.find(before), warnings: [], prompt: FIRST };
    const { env, warnings, prompt, spec } = this.prepare(input, over);
    const id = newId(clock.wallMs()) as SessionId;
    const supervisor = this.#parts.supervisor();
    const durably = !supervisor.startsAtOnce(spec);
    const images = this.#keep(id, () => storeImages(state, id, input.readImages ?? []));
    const text = prompt === null ? null : this.#firstText(prompt, input, spec);
    const first = text === null ? null : { id: FIRST, text, ...withImages(images) };
    const accepted = { spec, prompt: first, cause, atMs: clock.wallMs(), steadyMs: clock.steadyMs() };
    this.#keep(id, () => keepCallerProcess(state, id, { env, umask: input.umask, accepted }, { durably }));
    this.#keep(id, () => supervisor.create(id, { spec, prompt: first }, cause));
    if (!input.background) void this.callers.expect(id);
    const row = this.find(id);
    return { row, warnings: [...warnings, ...this.#queued(row.session)], prompt: first === null ? null : FIRST };
  }

  /** Validates a start, and fills in all defaults. Starts nothing. */
  prepare(input: OwnedStart, over: TakeOver | null = null): Start {
    return prepare({ ...this.#parts, find: (word) => this.find(word) }, input, over);
  }

  /** The warnings for a new session that has to wait for a run. */
  #queued(session: Session): string[] {
    const { runsMax, spawn } = this.#parts.config;
    const supervisor = this.#parts.supervisor();
    if (session.phase.at !== 'queued' || supervisor.hasRoom(runsMax, spawn.concurrentMax, session)) return [];
    const isSpawned = supervisor.hasRoom(runsMax, spawn.concurrentMax);
    const [max, what] = isSpawned ? [spawn.concurrentMax, 'agents that sessions started'] : [runsMax, 'runs'];
    return [`queued: all ${max} slots for ${what} are in use`];
  }

  #firstText(prompt: string, { child, asCommand }: OwnedStart, { owner, spawn, agent, drive }: Spec): string {
    const above = owner === undefined ? undefined : this.#parts.journal.find(owner.session)?.session;
    if (!child?.note || owner === undefined || above === undefined || spawn === undefined) return prompt;
    // A command of the agent accepts no additional text.
    const isCommand = asCommand && driveOf(knownAgent(this.#parts.agents, agent), drive).isCommand(prompt);
    return isCommand ? prompt : withNote(prompt, above, owner, spawn);
  }

  /** Submits an input of a caller, or throws the reason for a refusal. */
  submit(session: Session, input: Input, cause = newId(this.#parts.clock.wallMs()) as InputId): void {
    const admission = this.#parts.supervisor().submit(session.id, cause, input);
    if (!admission.ok) throw refusal(session, admission.code);
  }

  /** Removes an ended session and everything it printed. */
  async remove(
    word: string,
    { by, force, discard = false }: { by: Actor; force: boolean; discard?: boolean },
    pending = (_: number): boolean => false,
  ): Promise<Rescued | null> {
    const { session, live, position } = this.find(word);
    if (live) throw refusal(session, 'session_live');
    if (!force && pending(position)) {
      throw new OutlastError('notice_pending', `not all notices about the end of ${session.id} have been delivered`);
    }
    const { id, spec } = session;
    const how = { discard, others: () => this.#workspaces(id) };
    const rescued = await this.#parts.worktrees.letGo({ id, workspace: spec.workspace }, how);
    this.submit(session, { type: 'remove', by });
    await this.#free(session);
    rmSync(sessionFolder(this.#parts.state, session.id), { recursive: true, force: true });
    return rescued;
  }

  /** Frees the resources of an ended session's terminal. */
  release(session: Session): void {
    this.#free(session).catch((error) =>
      this.#parts.log('a terminal cannot be released', { session: session.id, why: String(error) }),
    );
  }

  /** Frees the terminal resources of a live session's dead runs. */
  releaseDead(session: Session): void {
    void freeDeadPanes(this.#panes(), session);
  }

  /**
   * First thing after a start: finishes what the last daemon left undone. Only folders that the journal knows to be
   * ended are removed: an unknown one may be all that is left of a lost journal.
   */
  recover(): void {
    const { journal, exits, state, log } = this.#parts;
    const since = journal.fact(SINCE) ?? '';
    for (const ref of exits.pending()) {
      const row = journal.find(ref.session);
      if (row === null && (journal.knows(ref.session) || ref.session > since)) exits.clear(ref);
      else if (row?.live === false) this.release(row.session);
    }
    void this.#parts.worktrees.sweep(() => this.#workspaces(), since);
    for (const id of journal.live()) this.#leave(id, byHost('restarted'));
    for (const id of folderIds(state)) {
      if (!journal.knows(id)) log('a folder is left alone: the journal does not know its session', { session: id });
      else if (this.#isRemoved(id)) rmSync(sessionFolder(state, id), { recursive: true, force: true });
    }
  }

  #workspaces(except: SessionId | null = null): string[] {
    const rows = this.#parts.journal.list({ state: 'all', limit: Number.MAX_SAFE_INTEGER });
    return rows.flatMap(({ session: { id, spec } }) => (id === except ? [] : [spec.workspace]));
  }

  /** The caller that waited may be gone with the daemon. One notice too many is better than none. */
  #leave(id: SessionId, by: Actor): void {
    const row = this.#parts.journal.find(id);
    if (row === null || !row.live || row.session.background) return;
    try {
      this.submit(row.session, { type: 'background', by });
    } catch (error) {
      // An unreadable session must not keep the daemon from all others.
      this.#parts.log('a session cannot be tended', { session: id, why: String(error) });
    }
  }

  /** True when a daemon removed the session but died before its folder was gone. */
  #isRemoved(id: SessionId): boolean {
    if (this.#parts.journal.find(id) !== null) return false;
    const { events, unreadableAt } = this.#parts.journal.session(id);
    return unreadableAt === null && fold(events)?.removed === true;
  }

  /** A start that fails half way was not accepted: everything of it is removed. */
  #keep<T>(id: SessionId, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      rmSync(sessionFolder(this.#parts.state, id), { recursive: true, force: true });
      if (errnoOf(cause) === '' || cause instanceof OutlastError) throw cause;
      throw new OutlastError('journal_failed', `cannot write to ${this.#parts.state}: ${causeText(cause)}`, { cause });
    }
  }

  #panes(): DeadPanesWorld {
    const { state, clock, terminals, log } = this.#parts;
    return { state, clock, tmux: terminals.tmux, log };
  }

  async #free(session: Session): Promise<void> {
    const ref = refOf(session);
    if (ref.run === 0) return;
    await this.#parts.terminals[terminalOf(session)].release(ref);
    await freeAllPanes(this.#panes(), session);
    // Its last output may exceed the cap, and no monitor checks it any more.
    for (const files of cappedFiles(this.#parts.state, session)) {
      await keepWithin(files, session.spec.policy.outputBytesMax);
    }
    this.#parts.exits.clear(ref);
  }
}
