import { PAGE_CODES } from './errors-page.ts';

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
    hint: 'Read its output with `outlast output`, continue an agent with `outlast resume`, or start a new one.',
  },
  session_live: { http: 409, exit: 4, retryable: false, hint: 'Stop it first with `outlast stop`.' },
  name_taken: { http: 409, exit: 4, retryable: false, hint: 'Choose another --name, or stop the session that has it.' },
  workspace_missing: {
    http: 422,
    exit: 2,
    retryable: false,
    hint: 'Pass a folder that you can enter: --workspace, or for exec --cwd.',
  },
  schedule_not_found: { http: 404, exit: 3, retryable: false, hint: 'Run `outlast schedule list` to see the names.' },
  schedule_ended: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Make a new one with `outlast start --at` or `--every`, or delete this one with `outlast schedule remove`.',
  },
  schedule_failed: {
    http: 500,
    exit: 1,
    retryable: false,
    hint: 'Remove it with `outlast schedule remove`, then create it again.',
  },
  agent_missing: {
    http: 422,
    exit: 2,
    retryable: false,
    hint: 'Choose another one with --agent: `outlast agents` lists them, and echo works without an account.',
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
    hint: 'Use a git repository with at least one commit, and a branch that is not checked out elsewhere.',
  },
  worktree_unsaved: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Commit or move the work, or pass --discard: a rescue ref then keeps it.',
  },
  session_busy: {
    http: 409,
    exit: 4,
    retryable: true,
    hint: 'Wait with `outlast wait`, or end the turn with `outlast interrupt`.',
  },
  not_working: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast stop` to end the session: there was no turn to interrupt.',
  },
  handed_off: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast handoff S --back` first, or pass --force.',
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
    hint: 'End the other process first: two processes in one conversation undo each other.',
  },
  turn_unknown: { http: 404, exit: 3, retryable: false, hint: 'Give a number from 1, or -1 for the last turn.' },
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
    hint: 'Run `outlast audit` to see the decision: it is final.',
  },
  decider_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: 'Ask the person or the session that started it: an agent cannot decide about its own calls.',
  },
  spawn_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: '',
  },
  owner_refused: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast list --mine` to see the sessions that this one may change, or ask a person to do it.',
  },
  gate_unsafe: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Use another drive or version of the agent, or leave out --gate: calls could run without approval this way.',
  },
  ...PAGE_CODES,
  input_invalid: {
    http: 400,
    exit: 2,
    retryable: false,
    hint: 'Correct the value that the message names.',
  },
  input_closed: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Start it with --stdin open or --pty to be able to write to it.',
  },
  input_full: {
    http: 409,
    exit: 4,
    retryable: true,
    hint: 'Wait, then write again: the command does not read its input.',
  },
  not_supported: { http: 409, exit: 4, retryable: false, hint: '' },
  notice_pending: {
    http: 409,
    exit: 4,
    retryable: true,
    hint: 'Wait until its notice is delivered, or pass --force to remove it anyway.',
  },
  record_unreadable: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'Try again: the agent may be writing it, and no decision is made until it can be read.',
  },
  terminal_failed: { http: 502, exit: 1, retryable: true, hint: 'Run `outlast doctor`.' },
  terminal_missing: { http: 422, exit: 2, retryable: false, hint: 'Install tmux, or use --pty.' },
  journal_failed: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'Run `outlast doctor`: the disk may be full, or the state folder read-only.',
  },
  journal_damaged: {
    http: 503,
    exit: 1,
    retryable: true,
    hint: 'Run `outlast daemon start`, then `outlast doctor`: the next daemon moves the file away and rebuilds it.',
  },
  cursor_foreign: {
    http: 409,
    exit: 4,
    retryable: false,
    hint: 'Read from the beginning, or from the current end: the journal was rebuilt, restored or replaced.',
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
    hint: 'Run `outlast config check` to see the line of each mistake.',
  },
  daemon_running: {
    http: 409,
    exit: 75,
    retryable: false,
    hint: 'Run `outlast daemon status` to see it: a state folder has only one daemon.',
  },
  daemon_unreachable: { http: 503, exit: 5, retryable: true, hint: 'Run `outlast doctor`.' },
  timed_out: { http: 408, exit: 6, retryable: true, hint: 'Wait again: the session keeps running.' },
  internal: {
    http: 500,
    exit: 70,
    retryable: false,
    hint: 'Run `outlast daemon logs` for the details, and report this bug in Outlast.',
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
