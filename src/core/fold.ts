import { assert, unreachable } from '../base/assert.ts';
import type { Event, EventBody } from './event.ts';
import type { Phase, Prompt, PromptId, Run, Session } from './session.ts';

/** Events in, session out. Total: any prefix of a journal folds. Reads no clock. */
export function fold(events: readonly Event[]): Session | null {
  return events.reduce<Session | null>(apply, null);
}

/** One more fact. */
export function apply(session: Session | null, event: Event): Session {
  if (event.body.type === 'session.created') return created(event, event.body);
  assert(session !== null, `event ${event.seq} of ${event.session} comes before session.created`);
  assert(event.seq === session.seq + 1, `event ${event.seq} of ${event.session} does not follow ${session.seq}`);
  const s: Session = { ...session, seq: event.seq };
  const { body } = event;
  if (body.type.startsWith('prompt.')) return applyPrompt(s, body, event.steadyMs);
  if (body.type.startsWith('run.')) return applyRun(s, body, event.steadyMs);
  return applySession(s, body, event.steadyMs);
}

/** The number of the session's last run: the fence against late news. */
export function runOf(session: Session): number {
  return session.run?.number ?? 0;
}

function created(event: Event, body: Extract<EventBody, { type: 'session.created' }>): Session {
  const { spec } = body;
  return {
    id: event.session,
    seq: event.seq,
    createdAtMs: event.atMs,
    spec,
    phase: spec.drive === 'turns' ? { at: 'idle', run: 0, sinceMs: event.steadyMs } : { at: 'queued' },
    run: null,
    background: spec.background,
    removed: false,
    conversation: null,
    faults: 0,
    prompts: [],
    approvals: [],
  };
}

function applySession(s: Session, body: EventBody, nowMs: number): Session {
  switch (body.type) {
    case 'session.backgrounded':
      return { ...s, background: true };
    case 'session.closing':
      return { ...s, phase: closingPhase(s, body), approvals: [] };
    case 'session.ended':
      return { ...s, phase: { at: 'ended', outcome: body.outcome }, approvals: [] };
    case 'session.removed':
      return { ...s, removed: true };
    case 'approval.asked': {
      const approvals = [...s.approvals, { id: body.approval, tool: body.tool, askedAtMs: nowMs }];
      return { ...s, approvals, phase: { at: 'blocked', run: runOf(s), sinceMs: nowMs } };
    }
    case 'approval.decided': {
      const approvals = s.approvals.filter((a) => a.id !== body.approval);
      const still = approvals.length > 0 || s.phase.at !== 'blocked';
      return { ...s, approvals, phase: still ? s.phase : { at: 'working', run: runOf(s), sinceMs: nowMs } };
    }
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}

function applyRun(s: Session, body: EventBody, nowMs: number): Session {
  switch (body.type) {
    case 'run.starting':
      return { ...s, run: freshRun(body.run, body.boot), phase: { at: 'opening', run: body.run, boot: body.boot } };
    case 'run.opened':
      return { ...change(s, { pid: body.pid || null, openedAtMs: nowMs }), phase: openedPhase(s, body.run, nowMs) };
    case 'run.ready':
      return {
        ...s,
        conversation: body.conversation ?? s.conversation,
        phase: { at: 'idle', run: body.run, sinceMs: nowMs },
      };
    case 'run.written':
      return body.what === 'eof' && s.spec.terminal === 'pipe' ? change(s, { inputClosed: true }) : s;
    case 'run.gapped':
      return change(s, { incomplete: true, cut: body.why === 'terminal' });
    case 'run.ended': {
      const ended = change(s, { exit: body.exit, outputBytes: body.outputBytes, incomplete: !body.complete });
      const idle = s.spec.drive === 'turns' && s.phase.at !== 'closing';
      return idle ? { ...ended, phase: { at: 'idle', run: body.run, sinceMs: nowMs }, approvals: [] } : ended;
    }
    case 'run.faulted':
      return {
        ...s,
        faults: s.faults + (body.fault.kind === 'lost' && body.fault.reboot ? 0 : 1),
        approvals: [],
        phase: { at: 'recovering', run: body.run, fault: body.fault, retryAtMs: body.retryAtMs },
      };
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}

function applyPrompt(s: Session, body: EventBody, nowMs: number): Session {
  switch (body.type) {
    case 'prompt.queued': {
      const prompt: Prompt = {
        id: body.prompt,
        text: body.text,
        state: 'queued',
        turn: 0,
        run: 0,
        entered: false,
        sinceMs: nowMs,
      };
      return { ...s, prompts: [...s.prompts, prompt] };
    }
    case 'prompt.sending':
      return patch(s, body.prompt, {
        state: 'sending',
        turn: body.turn,
        run: body.run,
        entered: false,
        sinceMs: nowMs,
      });
    case 'prompt.entering':
      return patch(s, body.prompt, { entered: true, sinceMs: nowMs });
    case 'prompt.unsure':
      return patch(s, body.prompt, { state: 'unsure' });
    case 'prompt.accepted':
      return {
        ...patch(s, body.prompt, { state: 'accepted' }),
        phase: { at: 'working', run: runOf(s), sinceMs: nowMs },
      };
    case 'prompt.answered': {
      const prompts = s.prompts.filter((p) => p.id !== body.prompt);
      // In turns the process is still there for a moment; its end makes the session idle.
      const phase: Phase = s.spec.drive === 'turns' ? s.phase : { at: 'idle', run: runOf(s), sinceMs: nowMs };
      return { ...s, faults: 0, approvals: [], prompts, phase };
    }
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}

function openedPhase(s: Session, run: number, nowMs: number): Phase {
  switch (s.spec.drive) {
    case 'command':
    case 'turns':
      return { at: 'working', run, sinceMs: nowMs };
    case 'live':
      return { at: 'starting', run, sinceMs: nowMs };
    default:
      return unreachable(s.spec.drive);
  }
}

function closingPhase(s: Session, body: Extract<EventBody, { type: 'session.closing' }>): Phase {
  const graceMs = body.graceMs ?? s.spec.policy.graceMs;
  return { at: 'closing', run: runOf(s), outcome: body.outcome, graceMs };
}

function freshRun(number: number, boot: string): Run {
  return {
    number,
    boot,
    pid: null,
    openedAtMs: null,
    exit: null,
    outputBytes: null,
    incomplete: false,
    inputClosed: false,
    cut: false,
  };
}

function change(s: Session, run: Partial<Run>): Session {
  return s.run === null ? s : { ...s, run: { ...s.run, ...run } };
}

function patch(s: Session, id: PromptId, prompt: Partial<Prompt>): Session {
  return { ...s, prompts: s.prompts.map((p) => (p.id === id ? { ...p, ...prompt } : p)) };
}
