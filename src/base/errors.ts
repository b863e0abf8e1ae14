interface Row {
  readonly http: number;
  readonly exit: number;
  readonly retryable: boolean;
  /** What to do; empty where only the message can say it. */
  readonly hint: string;
}

/** All error codes. docs/errors.md has a heading for each. */
export const CODES = {
  session_not_found: { http: 404, exit: 3, retryable: false, hint: 'Run `outlast list` to see the names.' },
  id_ambiguous: {
    http: 409,
    exit: 2,
    retryable: false,
    hint: 'Type more of the id, or the name of the session.',
  },
  prompt_unknown: {
    http: 404,
    exit: 3,
    retryable: false,
    hint: 'Run `outlast events --type prompt.queued` to see the ids of its prompts.',
  },
  session_ended: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Read it with `outlast output`, continue an agent with `outlast resume`, or start a new one.',
  },
  session_live: { http: 409, exit: 4, retryable: false, hint: 'Stop it first with `outlast stop`.' },
  name_taken: { http: 409, exit: 4, retryable: false, hint: 'Choose another --name, or stop the session that has it.' },
  workspace_missing: {
    http: 422,
    exit: 2,
    retryable: false,
    hint: 'Choose a folder that you may enter, with --workspace or for exec with --cwd.',
  },
  schedule_not_found: { http: 404, exit: 3, retryable: false, hint: 'Run `outlast schedule list` to see the names.' },
  schedule_ended: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Make a new one with `outlast start --at` or `--every`; `outlast schedule remove` deletes this one.',
  },
  schedule_failed: {
    http: 500,
    exit: 1,
    retryable: false,
    hint: 'Remove it with `outlast schedule remove`, and make it again.',
  },
  agent_missing: {
    http: 422,
    exit: 2,
    retryable: false,
    hint: 'Or name another one with --agent; `outlast agents` lists what is found.',
  },
  workspace_untrusted: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Check the settings in the folder, then pass --trust.',
  },
  worktree_failed: {
    http: 422,
    exit: 2,
    retryable: false,
    hint: 'It needs a git repository with a commit, and a branch that is checked out nowhere else.',
  },
  worktree_unsaved: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Commit or move the work, or pass --discard: a rescue ref keeps it then.',
  },
  session_busy: { http: 409, exit: 4, retryable: true, hint: 'Wait with `outlast wait`, or use `outlast interrupt`.' },
  not_working: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Nothing was interrupted. `outlast stop` ends the session.',
  },
  handed_off: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast handoff --back` first, or use --force.',
  },
  conversation_unknown: {
    http: 404,
    exit: 3,
    retryable: false,
    hint: 'Run `outlast boot --dry-run --window 7d` to see the ids.',
  },
  conversation_taken: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Two processes in one conversation undo each other: end the other one first.',
  },
  turn_unknown: { http: 404, exit: 3, retryable: false, hint: 'Turns are counted from 1; -1 is the last.' },
  approval_unknown: {
    http: 404,
    exit: 3,
    retryable: false,
    hint: 'Run `outlast approvals` to list the pending approvals.',
  },
  approval_decided: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'An approval is decided once. `outlast audit` shows the decision.',
  },
  decider_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: 'An agent cannot decide about its own calls. The person or the session that started it must decide.',
  },
  spawn_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: '`outlast list --mine --live` lists the live sessions of this session. A person may start any session.',
  },
  owner_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: '`outlast list --mine` lists the sessions that this session may change. A person may change any session.',
  },
  gate_unsafe: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Calls could run without approval this way. Try another way or version of the agent, or no --gate.',
  },
  input_invalid: {
    http: 400,
    exit: 2,
    retryable: false,
    hint: 'The message says which value is wrong, and what is allowed.',
  },
  input_closed: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Its standard input is closed. Start it with --stdin open, or use --pty.',
  },
  input_full: {
    http: 409,
    exit: 4,
    retryable: true,
    hint: 'The command does not read its input. Wait, then write again.',
  },
  not_supported: { http: 409, exit: 4, retryable: false, hint: '' },
  notice_pending: {
    http: 409,
    exit: 4,
    retryable: true,
    hint: 'Its notice is not delivered yet. Use --force to remove it anyway.',
  },
  record_unreadable: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'The agent may be writing it. Try again; no decision is made until it can be read.',
  },
  terminal_failed: { http: 502, exit: 1, retryable: true, hint: 'Run `outlast doctor`.' },
  terminal_missing: { http: 422, exit: 2, retryable: false, hint: 'Install tmux, or use --pty.' },
  journal_failed: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'Is the disk full, or the state folder read-only? Run `outlast doctor`.',
  },
  journal_damaged: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'The next daemon moves the file away and rebuilds it: `outlast daemon start`, then `outlast doctor`.',
  },
  cursor_foreign: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'The journal was rebuilt, restored or replaced. Read from the beginning, or from the current end.',
  },
  state_unusable: {
    http: 500,
    exit: 1,
    retryable: false,
    hint: 'Set OUTLAST_STATE to a folder of your own, on a local disk.',
  },
  config_invalid: {
    http: 500,
    exit: 2,
    retryable: false,
    hint: '`outlast config check` names the line of each mistake.',
  },
  daemon_running: {
    http: 409,
    exit: 75,
    retryable: false,
    hint: 'There is one daemon per state folder; `outlast daemon status` shows it.',
  },
  daemon_unreachable: { http: 503, exit: 5, retryable: true, hint: 'Run `outlast doctor`.' },
  timed_out: { http: 408, exit: 6, retryable: true, hint: 'The session keeps running. Wait again.' },
  internal: {
    http: 500,
    exit: 70,
    retryable: false,
    hint: 'This is a bug in Outlast. `outlast daemon logs` has the details.',
  },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof CODES;

/** A failed operation or a wrong call: a code for programs, a message for people. */
export class OutlastError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutlastError';
    this.code = code;
  }

  get hint(): string {
    return CODES[this.code].hint;
  }
}

/** The errno of a failed system call (ENOENT, not Node's own ERR_SOMETHING), or an empty string. */
export function errnoOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z0-9]+$/.test(code) ? code : '';
}
