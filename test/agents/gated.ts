import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { ApprovalView, Session, StartInput } from '../../src/client/index.ts';
import { scriptedProof } from '../e2e/gated.ts';
import { eventually } from '../eventually.ts';
import type { Play, Stage, StageOptions } from './stage.ts';
import type { TurnStep } from './under-test/agent.ts';

export type Drive = 'turns' | 'live';
type Open = Parameters<Play>[0];

/** Without `doubled`: a call that is asked about twice has two approvals. */
const FAULTS: Partial<Manners> = { startMs: 200, readyMs: 200, silent: ['PostToolUse', 'SessionEnd'], flushMs: 300 };
const WAIT_MS = 45_000;

/** Results of the gate probes of real agents: one probe is enough for all stories of a file. */
const proofs = new Map<string, string>();

/** A stage whose sessions run behind a gate. */
export interface GatedStage {
  readonly stage: Stage;
  /** Starts an agent behind a gate, and sends it a prompt. */
  startGated(drive: Drive, prompt: string, input?: StartInput): Promise<Session>;
  /** Waits for the approval of the call whose input contains this text. */
  pendingApproval(session: Session, text: string): Promise<ApprovalView>;
  decide(
    approval: ApprovalView,
    allow: boolean,
    more?: { why?: string; edit?: Record<string, unknown> },
  ): Promise<void>;
  /** Waits until the prompt is answered. */
  turnEnd(session: Session): Promise<void>;
  /** The words that calls have appended, see `appendStep`. */
  executed(): string[];
  /** Waits until a transcript contains this text, for example the reason of a denial. */
  waitForTranscript(text: string): Promise<void>;
  /** Whether a transcript contains this text. */
  transcriptHas(text: string): boolean;
  /** Who decided what, in the order of the journal. */
  decisions(session: Session): Promise<string[]>;
}

/** The same for every agent. */
export const append = (word: string): TurnStep => ({ run: commandFor(word) });

/** A step whose call appends a word to a file when it runs, and the command of that call. */
export const appendStep = (word: string): object => bash(commandFor(word));
export const commandFor = (word: string): string => `echo ${word} >> made`;
export const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });

/** Opens a stage for gated sessions. The scripted agent counts as probed; a real one is probed once. */
export async function openGated(open: Open, options: StageOptions = {}): Promise<GatedStage> {
  const stage = await open({ faults: FAULTS, config: { policy: { backoff: { msMin: 0 } } }, ...options });
  const { client, state } = stage.world;
  const proof = stage.agent.version === null ? scriptedProof() : proofs.get(stage.agent.title);
  if (proof !== undefined) writeFileSync(join(state, 'gates.json'), proof);
  const startGated = async (drive: Drive, prompt: string, input: StartInput = {}): Promise<Session> => {
    const merged: StartInput = { gate: { mode: 'gate' }, ...input };
    const session = drive === 'live' ? await stage.startLive(merged) : await stage.start(merged);
    proofs.set(stage.agent.title, readIfThere(join(state, 'gates.json')));
    await session.prompt(prompt);
    return session;
  };
  return {
    stage,
    startGated,
    pendingApproval: (session, text) => approvalOf(stage, session, text),
    decide: async (approval, allow, more = {}) => {
      await client.approvals.decide(approval.id, allow, { by: 'ann', ...more });
    },
    turnEnd: async (session) => {
      await stage.waitForEvent(session.id, 'prompt.answered', 1, WAIT_MS);
    },
    executed: () => readIfThere(join(stage.workspace, 'made')).split('\n').filter(Boolean),
    waitForTranscript: async (text) => {
      await eventually(() => transcriptHas(stage, text), { what: `"${text}" in a transcript` });
    },
    transcriptHas: (text) => transcriptHas(stage, text),
    decisions: async (session) =>
      (await stage.events(session.id, 'approval.decided')).map(({ body }) => {
        const { allow, by } = body as { allow: boolean; by: string };
        return `${allow ? 'yes' : 'no'} by ${by}`;
      }),
  };
}

function transcriptHas(stage: Stage, text: string): boolean {
  return stage.transcripts().some((path) => readIfThere(path).includes(text));
}

function approvalOf({ world }: Stage, session: Session, text: string): Promise<ApprovalView> {
  return eventually(
    async () => {
      const open = await world.client.approvals.list({ session: session.id });
      return open.find(({ input }) => JSON.stringify(input).includes(text));
    },
    { msMax: WAIT_MS, what: `an approval about ${text}` },
  );
}

/** The hook processes of a session that wait for a decision. */
export function waitingHooks({ id }: Session): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const words = readIfThere(`/proc/${pid}/cmdline`).split('\0');
    // The agent itself has the hook's path in its arguments too.
    const isHook = words.some((word) => word.includes('/ask.sh')) && !words.includes('--settings');
    return isHook && words.some((word) => word.includes(`/${id}/runs/`)) ? [Number(pid)] : [];
  });
}

function readIfThere(path: string): string {
  try {
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
