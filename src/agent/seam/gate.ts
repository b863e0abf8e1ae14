import type { Spec } from '../../core/session.ts';

/** How an agent asks before every tool call, how it is answered, and how it is proven that it obeys. */
export type GateWay = HookGate | ProtocolGate;

/** What proves that an agent obeys, whichever way it asks. */
interface GateProof {
  /** The tool calls in whole lines of a transcript or of the output of a run of one turn. */
  seenCalls(text: string): readonly SeenCall[];
  /** How it is led to make these calls: what it is asked, and what its model answers. */
  probe(calls: readonly ProbeCall[]): GateProbe;
}

/** The agent runs hooks of ours that ask; a version that runs no second hook asks our permission server. */
export interface HookGate extends GateProof {
  readonly asks: 'hooks';
  /** The call that a hook asks about; null when it cannot be understood. */
  asked(payload: unknown): AskedCall | null;
  /** What a hook that asked shall print. */
  answer(answer: HookAnswer): string;
}

/** The agent asks in the messages of its server drive, and is answered in them. */
export interface ProtocolGate extends GateProof {
  readonly asks: 'protocol';
}

/** Does the gate hold when the agent is run this way? Hooks are run by its processes, messages go to its server. */
export function holdsIn({ asks }: GateWay, drive: Spec['drive']): boolean {
  return (drive === 'server') === (asks === 'protocol');
}

/** What a hook is told. */
export interface HookAnswer {
  /**
   * ask: the agent shall show the call to whoever sits at its screen, and ask again whether it may be made. defer: it
   * shall put the call off and end its run; it asks again when it is taken up.
   */
  readonly say: 'allow' | 'deny' | 'ask' | 'defer';
  readonly why: string;
  /** What the tool is given instead, as JSON. */
  readonly edit?: string;
  /** To the second question, whether what was allowed may be done now. */
  readonly confirms?: boolean;
}

/** A tool call that shall not run before somebody has said yes. */
export interface AskedCall {
  /** It was asked about before: may it be made now? */
  readonly confirms: boolean;
  /** The agent's own id of it. */
  readonly call: string | null;
  readonly tool: string;
  readonly input: unknown;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** Where relative paths begin; null: in the workspace. */
  readonly cwd: string | null;
}

/** A trace of a tool call. */
export interface SeenCall {
  readonly call: string;
  /** Null in a result, which does not say it again. */
  readonly tool: string | null;
  /** It has a result that only a call has that was made. */
  readonly made: boolean;
  /** Wall time. */
  readonly atMs: number | null;
}

/** One command that an agent is led to run on trial. */
export interface ProbeCall {
  readonly command: string;
  /** What the agent is told that it is for. */
  readonly about: string;
}

/** A conversation that leads an agent to make calls. */
export interface GateProbe {
  readonly prompt: string;
  /**
   * What the model answers to the body of a request, as a stream of events; null: it was asked nothing. Absent: the
   * agent has no model, and does what its prompt says.
   */
  readonly answer?: (body: string) => string | null;
}

/**
 * What decides whether a call may be made now: for an agent that runs hooks, its second hook or a program of ours; for
 * one that asks in messages, the answer to its message.
 */
export type GateKind = (typeof GATE_KINDS)[number];

export const GATE_KINDS = ['hook', 'permission-server', 'protocol'] as const;

/** How an agent asks before it uses a tool. */
export interface AskPlan {
  readonly command: string;
  /** The shell command for the second question. */
  readonly confirm: string;
  /** How long an answer may take. */
  readonly secondsMax: number;
  /** Nothing may run without an answer. */
  readonly strict: boolean;
  /** The program that puts the second question for an agent that calls no hook for it; null: it does. */
  readonly permissionServer: readonly [string, ...string[]] | null;
}
