import { person } from '../core/actor.ts';
import type { EventBody } from '../core/event.ts';
import { fold } from '../core/fold.ts';
import { next } from '../core/next.ts';
import { COMMAND } from '../core/policy.ts';
import type {
  ApprovalId,
  ConversationId,
  ConversationSpec,
  PromptId,
  Session,
  SessionId,
  Spec,
  Trouble,
} from '../core/session.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { COMMAND_SPEC } from './spec.ts';

/** A live agent session, for tests that only care about a few of its properties. */
export const LIVE: Spec = {
  ...COMMAND_SPEC,
  name: 'live',
  agent: 'fake',
  drive: 'live',
  terminal: 'tmux',
  workspace: '/w',
  argv: [],
  policy: { ...COMMAND, resumesMax: 3 },
};

/** An agent with one run for each prompt. */
export const TURNS: Spec = { ...LIVE, drive: 'turns', terminal: 'pipe' };

/** The session that results from these events, ten milliseconds apart. */
export function sessionAfter(spec: Spec, ...bodies: readonly EventBody[]): Session {
  const all: EventBody[] = [{ type: 'session.created', spec }, ...bodies];
  const session = fold(
    all.map((body, i) => ({
      session: 's1' as SessionId,
      seq: i + 1,
      atMs: 1_000 + i * 10,
      steadyMs: i * 10,
      cause: null,
      body,
    })),
  );
  if (session === null) throw new Error('no events');
  return session;
}

/** The events of an agent's first run, up to the point where it accepts prompts. */
export const READY: readonly EventBody[] = [
  { type: 'run.starting', run: 1, how: 'launch', boot: 'b' },
  { type: 'run.opened', run: 1, pid: 7 },
  {
    type: 'conversation.opened',
    run: 1,
    conversation: 'c1' as ConversationId,
    transcript: '/t',
    source: 'startup',
  },
  { type: 'run.ready', run: 1 },
];

/** The events of a prompt up to the named point. */
export function prompted(
  name: string,
  upTo: 'queued' | 'sending' | 'accepted',
  more: { now?: boolean } = {},
): EventBody[] {
  const prompt = name as PromptId;
  const all: EventBody[] = [
    { type: 'prompt.queued', prompt, text: `Do ${name}`, ...more },
    { type: 'prompt.sending', prompt, turn: 1, run: 1 },
    { type: 'prompt.accepted', prompt, turnId: `turn of ${name}` },
  ];
  return all.slice(0, ['queued', 'sending', 'accepted'].indexOf(upTo) + 1);
}

/** The event of a tool call that waits for approval. */
export function asked(approval: string, more: Partial<Extract<EventBody, { type: 'approval.asked' }>> = {}): EventBody {
  const id = approval as ApprovalId;
  const call = { run: 1, call: `call of ${approval}`, tool: 'Bash', input: '{}', hash: 'h', subagent: null };
  return { type: 'approval.asked', approval: id, ...call, hook: `hook of ${approval}`, why: 'no rule', ...more };
}

/** The event of a decision about an approval. */
export function decided(approval: string, allow: boolean, by = person('ann')): EventBody {
  const id = approval as ApprovalId;
  const call = { run: 1, call: `call of ${approval}`, tool: 'Bash', hash: 'h' };
  return { type: 'approval.decided', approval: id, ...call, allow, by, why: '', rule: null };
}

/** A snapshot of a run that is alive and idle, with the given parts changed. */
export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    terminal: { is: 'alive', pid: 7, quietMs: 0, outputBytes: 1, sink: 'ok' },
    strayProcesses: 0,
    screen: { is: 'ready' },
    viewers: 0,
    transcript: { exists: true, received: [], turn: 'closed', reply: '' },
    signs: { progressMs: 0, isComputing: false, words: [] },
    wallMs: 1_000_000,
    used: null,
    breach: null,
    account: { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: null },
    compact: { by: 'command', text: '/compact' },
    fork: true,
    hostResumes: 0,
    after: { is: 'met', texts: [] },
    tried: 'unknown',
    boot: 'b',
    planned: false,
    slot: true,
    ...more,
  };
}

/** A typical conversation. */
export const CONVERSATION: ConversationSpec = {
  id: 'c1' as ConversationId,
  forkOf: null,
  model: null,
  args: [],
  envNames: [],
  trusted: false,
  after: [],
  screen: 'pty',
};

/** The event of a failed turn. */
export function failed(trouble: Trouble, prompt = 'p1'): EventBody {
  return { type: 'prompt.troubled', prompt: prompt as PromptId, trouble, text: 'Oh' };
}

/** The event of a first run that exited with status 1. */
export const RUN_ENDED: EventBody = { type: 'run.ended', run: 1, exit: { status: 1 }, outputBytes: 1, complete: true };

/** A session whose first turn failed, and the events after it. */
export function troubled(spec: Spec, trouble: Trouble, ...more: readonly EventBody[]): Session {
  const runEnd = spec.drive === 'turns' ? [RUN_ENDED] : [];
  return sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), failed(trouble), ...runEnd, ...more);
}

/** The next events, or what the session does instead. Between turns there is no process to look at. */
export function stepOf(s: Session, seen: Partial<Snapshot> = {}, nowMs = 1_000): readonly EventBody[] | string {
  const gone = { terminal: { is: 'absent' }, screen: { is: 'unknown' } } as const;
  const step = next(s, snapshot(s.spec.drive === 'turns' ? { ...gone, ...seen } : seen), nowMs);
  return step.do === 'append' ? step.events : step.do;
}

/** The next events; throws if the session would act or wait. */
export function nextEvents(s: Session, seen: Partial<Snapshot> = {}): EventBody[] {
  const events = stepOf(s, seen);
  if (typeof events === 'string') throw new Error(`expected events, got ${events}`);
  return [...events];
}
