// The stories the simulator tells. Each is told once undisturbed, then with the supervisor killed or the power cut
// at every point, at every pair of points, and at random ones.
import type { Input } from '../../src/core/event.ts';
import { COMMAND } from '../../src/core/policy.ts';
import type { Outcome, Spec } from '../../src/core/session.ts';

export interface Script {
  readonly name: string;
  readonly spec: Spec;
  readonly trouble?: 'crash' | 'crashAfterReply' | 'hang' | 'swallowedEnter' | 'orphan' | 'cut';
  /** Nobody decides the approval; it must time out, as a denial. */
  readonly nobodyAnswers?: boolean;
  /** When the agent takes what was typed; later than acceptMsMax in one story. */
  readonly acceptMs?: number;
  readonly slowStart?: boolean;
  /** Somebody else types a prompt of their own into the agent. */
  readonly person?: boolean;
  /** The command runs until it is stopped, or leaves a child behind. */
  readonly never?: boolean;
  readonly leaves?: boolean;
  /** What a caller wants, and when. */
  readonly wishes?: readonly { readonly atMs: number; readonly input: Input }[];
  /** How it may end when the power never fails. */
  readonly ends: Outcome['kind'];
}

const policy = {
  ...COMMAND,
  startMsMax: 1_000,
  acceptMsMax: 200,
  silenceMsMax: 5_000,
  approvalMsMax: 3_000,
  resumesMax: 12,
  backoffMsMin: 100,
  backoffMsMax: 1_000,
};

const command: Spec = {
  name: 'sim',
  agent: 'command',
  drive: 'command',
  terminal: 'pipe',
  workspace: '/w',
  argv: ['true'],
  size: { columns: 80, rows: 24 },
  stdin: 'empty',
  split: false,
  background: true,
  notify: 'output',
  keepOpen: false,
  policy: { ...policy, resumesMax: 0 },
};
const live: Spec = { ...command, agent: 'fake', drive: 'live', terminal: 'tmux', argv: [], policy };
const turns: Spec = { ...live, drive: 'turns', terminal: 'pipe' };
const stop: Input = { type: 'stop', by: 'ana' };

export const SCRIPTS: readonly Script[] = [
  { name: 'exec', spec: command, ends: 'done' },
  { name: 'execLeaves', spec: command, leaves: true, ends: 'done' },
  { name: 'execLost', spec: command, trouble: 'crash', leaves: true, ends: 'abandoned' },
  { name: 'execCut', spec: command, trouble: 'cut', ends: 'done' },
  { name: 'execStopAtOnce', spec: command, never: true, wishes: [{ atMs: 0, input: stop }], ends: 'stopped' },
  { name: 'execStop', spec: command, never: true, leaves: true, wishes: [{ atMs: 2, input: stop }], ends: 'stopped' },
  { name: 'execStopLater', spec: command, never: true, wishes: [{ atMs: 30, input: stop }], ends: 'stopped' },
  {
    name: 'execTimeout',
    spec: { ...command, policy: { ...command.policy, runMsMax: 90 } },
    never: true,
    ends: 'stopped',
  },
  { name: 'liveCalm', spec: live, ends: 'done' },
  { name: 'liveCrash', spec: live, trouble: 'crash', ends: 'done' },
  { name: 'liveCrashAfterReply', spec: live, trouble: 'crashAfterReply', ends: 'done' },
  { name: 'liveOrphan', spec: live, trouble: 'orphan', ends: 'done' },
  { name: 'liveHang', spec: live, trouble: 'hang', ends: 'done' },
  { name: 'liveSwallowedEnter', spec: live, trouble: 'swallowedEnter', ends: 'done' },
  { name: 'liveSlowAccept', spec: live, acceptMs: 900, ends: 'done' },
  { name: 'liveSlowStart', spec: live, slowStart: true, ends: 'done' },
  { name: 'livePersonTypes', spec: live, person: true, acceptMs: 150, ends: 'done' },
  { name: 'liveNobodyAnswers', spec: live, nobodyAnswers: true, ends: 'done' },
  {
    name: 'liveBusyCaller',
    spec: live,
    acceptMs: 150,
    wishes: [20, 30, 40, 60, 80].map((atMs) => ({ atMs, input: { type: 'write', what: 'keys', bytes: 1 } as const })),
    ends: 'done',
  },
  { name: 'turnsCalm', spec: turns, ends: 'done' },
  { name: 'turnsCrash', spec: turns, trouble: 'crash', ends: 'done' },
  { name: 'turnsCrashAfterReply', spec: turns, trouble: 'crashAfterReply', ends: 'done' },
  { name: 'turnsOrphan', spec: turns, trouble: 'orphan', ends: 'done' },
  { name: 'turnsHang', spec: turns, trouble: 'hang', ends: 'done' },
  { name: 'turnsNobodyAnswers', spec: turns, nobodyAnswers: true, ends: 'done' },
];
