import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claude } from '../../src/agent/claude/claude.ts';
import { realClock } from '../../src/base/clock.ts';
import { person } from '../../src/core/actor.ts';
import { admit } from '../../src/core/admit.ts';
import type { Ruling } from '../../src/core/approval.ts';
import type { EventBody, Input, InputId } from '../../src/core/event.ts';
import type { ApprovalId, ConversationId, Gate, Session, Spec } from '../../src/core/session.ts';
import { answerHooks } from '../../src/supervisor/answers.ts';
import type { Submission } from '../../src/supervisor/session-writer.ts';
import { drainSpool } from '../../src/supervisor/spool.ts';
import { askCommand } from '../../src/terminal/hook-command.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { LIVE, prompted, READY, sessionAfter, TURNS } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const ASK = join(import.meta.dirname, '../../src/terminal/ask.sh');

/** The output and exit status of a hook. */
export interface Hooked {
  readonly status: number | null;
  readonly stdout: string;
}

/** A hook that was started. */
export interface Hook {
  readonly child: ChildProcess;
  readonly ended: Promise<Hooked>;
}

/** One session behind a gate, its real hooks and its real spool; the journal is a list. */
export class GateWorld implements Disposable {
  readonly state = mkdtempSync(join(tmpdir(), 'ol-gate-'));
  readonly clock = realClock();
  readonly events: EventBody[];
  readonly #spec: Spec;
  readonly #taken = new Set<string>();
  readonly #children: ChildProcess[] = [];
  /** The current time; events are ten milliseconds apart. */
  steadyMs = 1_000;
  /** The decision of the rules. */
  ruling: Ruling = { verdict: 'ask', rule: null, why: 'no rule allows it' };

  constructor(drive: 'turns' | 'live' = 'turns', mode: Gate['mode'] = 'gate') {
    const base = drive === 'turns' ? TURNS : LIVE;
    const id = 'c1' as ConversationId;
    const wants = { forkOf: null, model: null, args: [], envNames: [], trusted: false, after: [] } as const;
    this.#spec = { ...base, conversation: { id, ...wants, screen: 'pty', gate: { mode, rules: {} } } };
    this.events = [...READY, ...prompted('p1', 'accepted')];
    mkdirSync(this.spool, { recursive: true });
    mkdirSync(this.signals);
  }

  get session(): Session {
    return sessionAfter(this.#spec, ...this.events);
  }

  get spool(): string {
    return runFolder(this.state, this.#ref).spool;
  }

  get signals(): string {
    return join(this.state, 'news');
  }

  get #ref() {
    return { session: 's1' as Session['id'], run: 1 };
  }

  /** The types of all events about approvals so far. */
  get story(): string[] {
    return this.events.map(({ type }) => type).filter((type) => type.startsWith('approval.'));
  }

  /** Starts a hook as the agent does: the first one, or the second one. */
  hook(payload: object, { secondsMax = 20, confirms = false, spool = this.spool } = {}): Hook {
    const place = { program: ASK, spool, reports: this.signals, name: 's1.1' };
    const texts = ['late', 'unasked'].map((why) => claude.gate.answer({ say: 'deny', why, confirms }));
    const command = askCommand(place, [String(secondsMax), ...texts]);
    const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#children.push(child);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const ended = new Promise<Hooked>((done) => child.once('close', (status) => done({ status, stdout })));
    // A hook that cannot ask does not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
    return { child, ended };
  }

  take(_: Session, id: InputId, input: Input): void {
    if (this.#taken.has(id)) return;
    this.#taken.add(id);
    const admission = admit(this.session, input);
    if (admission.ok) this.events.push(...admission.events);
  }

  /** One look of the daemon. */
  look(): void {
    const parts = {
      state: this.state,
      clock: { ...this.clock, steadyMs: () => this.steadyMs },
      submit: (s: Session, id: InputId, input: Input) => this.take(s, id, input),
      submitAll: (s: Session, all: readonly Submission[]) => {
        for (const { id, input } of all) this.take(s, id, input);
      },
      now: () => this.session,
      said: (_: string, seq: number) => this.#said(seq),
      judge: () => this.ruling,
      log: () => {},
    };
    drainSpool(parts, this.session, this.#ref, claude);
    answerHooks(parts, this.session, this.#ref, claude.gate);
  }

  /** Waits until this number of approvals is pending, and returns their ids. */
  async approvals(count = 1): Promise<readonly ApprovalId[]> {
    await eventually(() => {
      this.look();
      return this.session.gate.approvals.length >= count;
    });
    return this.session.gate.approvals.map(({ id }) => id);
  }

  /** Repeats the look until the hook has ended. */
  async answered(hook: Hook): Promise<Hooked> {
    const ended = hook.ended.then((value) => ({ value }));
    const wait = async (): Promise<Hooked> => {
      for (;;) {
        this.look();
        const first = await Promise.race([ended, this.clock.sleep(10)]);
        if (first !== undefined) return first.value;
      }
    };
    return wait();
  }

  decide(approval: ApprovalId, allow: boolean, more: { why?: string; edit?: string; editHash?: string } = {}): void {
    this.take(this.session, `decide:${approval}:${allow}` as InputId, {
      type: 'decide',
      approval,
      allow,
      by: person('ann'),
      ...more,
    });
  }

  files(): string[] {
    return readdirSync(this.spool);
  }

  #said(seq: number): { why: string; edit?: string } {
    // The first event is the session's creation, which is not in the list.
    const body = this.events[seq - 2];
    if (body?.type !== 'approval.decided') throw new Error(`event ${seq} is no answer`);
    return { why: body.why, ...(body.edit === undefined ? {} : { edit: body.edit }) };
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.state, { recursive: true, force: true });
  }
}

/** The payload of a hook before a tool is used. */
export function before(command: string, call = 'toolu_1', more: object = {}): object {
  const tool = { tool_name: 'Bash', tool_input: { command }, tool_use_id: call };
  return { hook_event_name: 'PreToolUse', session_id: 'c1', transcript_path: '/t', cwd: '/w', ...tool, ...more };
}

/** The payload of a hook where the agent would ask a person. */
export function permission(command: string): object {
  const tool = { tool_name: 'Bash', tool_input: { command } };
  return { hook_event_name: 'PermissionRequest', session_id: 'c1', transcript_path: '/t', cwd: '/w', ...tool };
}
