import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { ApprovalView, Session, StartInput } from '../../src/client/index.ts';
import { scriptedProof } from '../e2e/gated.ts';
import { eventually } from '../eventually.ts';
import type { Play, Stage, StageOptions } from './stage.ts';

export type Drive = 'turns' | 'live';
type Open = Parameters<Play>[0];

/** Not twice as all the rude do: a question that comes twice is two questions. */
const HARD: Partial<Manners> = { startMs: 200, readyMs: 200, silent: ['PostToolUse', 'SessionEnd'], flushMs: 300 };
const WAIT_MS = 45_000;

/** What came of the trials of real agents: one is enough for all the stories of a file. */
const proofs = new Map<string, string>();

/** A stage on which calls need a yes. */
export interface GatedStage {
  readonly stage: Stage;
  /** Starts an agent behind a gate, and gives it its prompt. */
  begin(drive: Drive, prompt: string, input?: StartInput): Promise<Session>;
  /** The question about the call with this text in it, once it is asked. */
  asked(session: Session, text: string): Promise<ApprovalView>;
  say(question: ApprovalView, allow: boolean, more?: { why?: string; edit?: Record<string, unknown> }): Promise<void>;
  /** Until the turn is over. */
  over(session: Session): Promise<void>;
  /** The words that calls left behind. */
  made(): string[];
  /** Waits until the agent has written this down: its tools told it so. */
  reads(text: string): Promise<void>;
  /** Did it write this down? */
  hasRead(text: string): boolean;
  /** Who decided what, in the order of the journal. */
  decisions(session: Session): Promise<string[]>;
}

/** A step whose call leaves its word behind when it is made, and the text of its command. */
export const leaves = (word: string): object => bash(commandFor(word));
export const commandFor = (word: string): string => `echo ${word} >> made`;
export const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });

/** Opens a stage for a gate. The gate of the scripted agent counts as proven; that of a real one is tried once. */
export async function openGated(open: Open, options: StageOptions = {}): Promise<GatedStage> {
  const stage = await open({ manners: HARD, config: { policy: { backoff: { msMin: 0 } } }, ...options });
  const { client, state } = stage.world;
  const proof = stage.agent.version === null ? scriptedProof() : proofs.get(stage.agent.title);
  if (proof !== undefined) writeFileSync(join(state, 'gates.json'), proof);
  const begin = async (drive: Drive, prompt: string, input: StartInput = {}): Promise<Session> => {
    const wish: StartInput = { gate: { mode: 'gate' }, ...input };
    const session = drive === 'live' ? await stage.live(wish) : await stage.start(wish);
    proofs.set(stage.agent.title, readIfThere(join(state, 'gates.json')));
    await session.prompt(prompt);
    return session;
  };
  return {
    stage,
    begin,
    asked: (session, text) => questionOf(stage, session, text),
    say: async (question, allow, more = {}) => {
      await client.approvals.decide(question.id, allow, { by: 'ann', ...more });
    },
    over: async (session) => {
      await stage.happens(session.id, 'prompt.answered', 1, WAIT_MS);
    },
    made: () => readIfThere(join(stage.workspace, 'made')).split('\n').filter(Boolean),
    reads: async (text) => {
      await eventually(() => hasRead(stage, text), { what: `that the agent reads "${text}"` });
    },
    hasRead: (text) => hasRead(stage, text),
    decisions: async (session) =>
      (await stage.events(session.id, 'approval.decided')).map(({ body }) => {
        const { allow, by } = body as { allow: boolean; by: string };
        return `${allow ? 'yes' : 'no'} by ${by}`;
      }),
  };
}

function hasRead(stage: Stage, text: string): boolean {
  return stage.transcripts().some((path) => readIfThere(path).includes(text));
}

function questionOf({ world }: Stage, session: Session, text: string): Promise<ApprovalView> {
  return eventually(
    async () => {
      const open = await world.client.approvals.list({ session: session.id });
      return open.find(({ input }) => JSON.stringify(input).includes(text));
    },
    { msMax: WAIT_MS, what: `a question about ${text}` },
  );
}

/** The processes of the hooks that wait for an answer to a session. */
export function waitingHooks({ id }: Session): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const words = readIfThere(`/proc/${pid}/cmdline`).split('\0');
    // The agent itself has them in its arguments too.
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
