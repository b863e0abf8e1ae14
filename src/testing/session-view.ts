import type { SessionView } from '../api/shapes.ts';

/** A session view with the given parts changed. */
export function aSession(parts: Partial<SessionView> = {}): SessionView {
  const base: SessionView = {
    id: '01jd3v9k2mabcdefghjk',
    name: null,
    agent: 'command',
    terminal: 'pipe',
    phase: 'working',
    workspace: '/',
    argv: ['true'],
    createdAtMs: 1_700_000_000_000,
    endedAtMs: null,
    run: 1,
    pid: 4242,
    exit: null,
    outcome: null,
    held: null,
    hold: null,
    limitedUntilMs: null,
    usage: { turns: 0, tokens: 0, usd: null },
    resumes: 0,
    background: false,
    outputBytes: 0,
    droppedBytes: 0,
    incomplete: false,
    drive: 'command',
    model: null,
    thinking: null,
    conversation: null,
    transcript: null,
    control: null,
    prompts: [],
    gate: 'off',
    approvals: 0,
    owner: null,
    lastTurn: null,
  };
  return { ...base, ...parts };
}

/** A session of an idle agent. */
export function anAgent(parts: Partial<SessionView> = {}): SessionView {
  return aSession({ agent: 'scripted', argv: [], drive: 'turns', phase: 'idle', conversation: 'c-1', ...parts });
}

/** A session whose command has exited. */
export function endedSession(status: number, parts: Partial<SessionView> = {}): SessionView {
  const exit = { status, text: `exit ${status}` };
  return aSession({ phase: 'ended', exit, outcome: { kind: 'done' }, endedAtMs: 1_700_000_005_000, ...parts });
}
