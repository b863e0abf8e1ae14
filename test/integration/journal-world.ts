import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, realClock } from '../../src/base/clock.ts';
import { OutlastError } from '../../src/base/errors.ts';
import { newId } from '../../src/base/ids.ts';
import type { EventBody, InputId } from '../../src/core/event.ts';
import { COMMAND } from '../../src/core/policy.ts';
import type { ConversationId, PromptId, SessionId, Spec } from '../../src/core/session.ts';
import type { Journal, Row } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { SessionWriter } from '../../src/supervisor/session-writer.ts';
import { runFolder, sessionFolder } from '../../src/terminal/run-folder.ts';

/** The spec of a command. */
export const COMMAND_SPEC: Spec = {
  name: null,
  agent: 'command',
  drive: 'command',
  terminal: 'pipe',
  workspace: '/tmp',
  argv: ['npm', 'test'],
  size: { columns: 80, rows: 24 },
  stdin: 'empty',
  split: false,
  background: true,
  notify: 'always',
  keepOpen: false,
  policy: COMMAND,
};

/** The spec of an agent that is driven by turns. */
export const AGENT_SPEC: Spec = {
  ...COMMAND_SPEC,
  agent: 'scripted',
  drive: 'turns',
  argv: [],
  keepOpen: true,
  conversation: {
    id: 'c-1' as ConversationId,
    forkOf: null,
    model: 'model-1',
    args: [],
    envNames: [],
    trusted: false,
    after: [],
    screen: 'pty',
  },
};

/** One session of a test: its writer, its folder, and short methods for its events. */
export class JournalSession {
  readonly id: SessionId;
  readonly writer: SessionWriter;
  readonly state: string;

  constructor(writer: SessionWriter, state: string) {
    this.id = writer.session.id;
    this.writer = writer;
    this.state = state;
    mkdirSync(sessionFolder(state, this.id), { recursive: true });
  }

  /** Appends events at once. */
  put(...events: EventBody[]): this {
    this.writer.append(events, null);
    return this;
  }

  queue(prompt: string, text = `do ${prompt}`): this {
    return this.put({ type: 'prompt.queued', prompt: prompt as PromptId, text });
  }

  /** Starts a run; for an agent with this prompt. */
  open(run: number, prompt?: string): this {
    const sending: EventBody[] =
      prompt === undefined ? [] : [{ type: 'prompt.sending', prompt: prompt as PromptId, turn: 1, run }];
    mkdirSync(runFolder(this.state, { session: this.id, run }).folder, { recursive: true });
    const how = 'launch';
    return this.put(
      ...sending,
      { type: 'run.starting', run, how, boot: 'b' },
      { type: 'run.opened', run, pid: 40 + run },
    );
  }

  accept(prompt: string): this {
    return this.put({ type: 'prompt.accepted', prompt: prompt as PromptId, turnId: null });
  }

  answer(prompt: string, reply = `did ${prompt}`): this {
    return this.put({ type: 'prompt.answered', prompt: prompt as PromptId, reply });
  }

  close(run: number, status = 0): this {
    return this.put({ type: 'run.ended', run, exit: { status }, outputBytes: 1, complete: true });
  }

  /** A whole turn in its own run. */
  turn(run: number, prompt: string): this {
    return this.open(run, prompt).accept(prompt).answer(prompt).close(run);
  }

  end(status = 0): this {
    return this.put({ type: 'session.ended', outcome: { kind: 'done', exit: { status } } });
  }

  print(run: number, text: string): this {
    writeFileSync(runFolder(this.state, { session: this.id, run }).output, text, { flag: 'a' });
    return this;
  }

  file(name: string): string {
    return join(sessionFolder(this.state, this.id), name);
  }
}

/** A journal without a daemon, and sessions that only a test writes. */
export class JournalWorld implements Disposable {
  readonly state = mkdtempSync(join(tmpdir(), 'outlast-journal-'));
  readonly clock: Clock = realClock();
  readonly journal: Journal;
  readonly config = { state: this.state, outputBytesMax: COMMAND.outputBytesMax };
  readonly sessions = { find: (word: string): Row => this.#find(word) };

  constructor(journal: Journal | ((state: string) => Journal) = memoryJournal()) {
    this.journal = typeof journal === 'function' ? journal(this.state) : journal;
  }

  make(spec: Partial<Spec> = {}): JournalSession {
    const base = (spec.drive ?? 'command') === 'command' ? COMMAND_SPEC : AGENT_SPEC;
    const id = newId(this.clock.wallMs()) as SessionId;
    const first = { id, spec: { ...base, ...spec }, cause: `start:${id}` as InputId };
    return new JournalSession(SessionWriter.create(this.journal, this.clock, first), this.state);
  }

  #find(word: string): Row {
    const row = this.journal.find(word);
    if (row === null) throw new OutlastError('session_not_found', `there is no session "${word}"`);
    return row;
  }

  [Symbol.dispose](): void {
    rmSync(this.state, { recursive: true, force: true });
  }
}
