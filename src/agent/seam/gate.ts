import type { Spec } from '../../core/session.ts';
import type { GateOpeners } from './gate-openers.ts';
import type { Outgoing } from './server.ts';

/** How an agent asks before every tool call, how it is answered, and how it is proven that it obeys. */
export type GateWay = HookGate | ProtocolGate;

/** What proves that an agent obeys, whichever way it asks. */
interface GateProof {
  /** The tool calls in whole lines of a transcript or of the output of a run of one turn. */
  seenCalls(text: string): readonly SeenCall[];
  /** A conversation that makes the agent try these calls: the prompt, and the answers of its model. */
  probe(calls: readonly ProbeCall[]): GateProbe;
  /** What would open it. Absent: nothing is known, or the agent reads no files. */
  readonly openers?: GateOpeners;
}

/** The agent runs hooks of ours that ask; a version that runs no second hook asks our permission server. */
export interface HookGate extends GateProof {
  readonly asks: 'hooks';
  /** The call that a hook asks about; null: the payload cannot be read. */
  asked(payload: unknown): AskedCall | null;
  /** What the asking hook prints. */
  answer(answer: HookAnswer): string;
  /** It can defer a call. Absent: its process waits for an answer as long as that takes. */
  readonly defers?: true;
}

/** The agent asks in the messages of its server drive, and is answered in them. */
export interface ProtocolGate extends GateProof {
  readonly asks: 'protocol';
  /** Messages that are no answer, made from one that allows the call. */
  readonly wrongAnswers?: WrongAnswers;
}

/** What the agent may get in place of an answer: one that means nothing, and an error. */
export interface WrongAnswers {
  garbage(yes: Outgoing): Outgoing;
  /** Absent: an answer cannot be an error. */
  error?(yes: Outgoing): Outgoing;
}

/** Does the gate hold when the agent is run this way? Hooks are run by its processes, messages go to its server. */
export function holdsIn({ asks }: GateWay, drive: Spec['drive']): boolean {
  return (drive === 'server') === (asks === 'protocol');
}

/** The answer for a hook. */
export interface HookAnswer {
  /**
   * ask: the agent shows the call to the person at its screen, and asks again before it makes it. defer: it defers the
   * call and ends its run; it asks again when it is resumed.
   */
  readonly say: 'allow' | 'deny' | 'ask' | 'defer';
  readonly why: string;
  /** The edited input, as JSON. */
  readonly edit?: string;
  /** It answers the second question: whether the allowed call may be made now. */
  readonly confirms?: boolean;
}

/** A tool call that must not run before it is approved. */
export interface AskedCall {
  /** The second question about a call: may it be made now? */
  readonly confirms: boolean;
  /** The agent's own id of it. */
  readonly call: string | null;
  readonly tool: string;
  readonly input: unknown;
  /** The sub-agent that called; null for the agent itself. */
  readonly subagent: string | null;
  /** The base of relative paths; null: the workspace. */
  readonly cwd: string | null;
}

/** Evidence of a tool call. */
export interface SeenCall {
  readonly call: string;
  /** Null in a result, which does not repeat it. */
  readonly tool: string | null;
  /** Its result shows that the call was made. */
  readonly made: boolean;
  /** Wall time. */
  readonly atMs: number | null;
}

/** A command for the agent to run in a probe. */
export interface ProbeCall {
  readonly command: string;
  /** The description of the command for the agent. */
  readonly about: string;
}

/** A conversation that makes an agent try calls. */
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
  /** The program that asks the second question for an agent without a hook for it; null: it has one. */
  readonly permissionServer: readonly [string, ...string[]] | null;
}
