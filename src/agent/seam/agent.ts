import type { Launch } from '../../core/launch.ts';
import type { CompactWay } from '../../core/remediation.ts';
import type { ReadActions } from '../../core/rules/action.ts';
import type { ConversationId, How, Spec } from '../../core/session.ts';
import type { Conversations } from './conversations.ts';
import type { AskPlan, GateWay } from './gate.ts';
import type { Hooks } from './hooks.ts';
import type { Images, SentImage } from './images.ts';
import type { LiveDrive } from './live.ts';
import type { Program } from './program.ts';
import type { AgentRecord } from './record.ts';
import type { ServerDrive } from './server.ts';
import type { TurnsDrive } from './turns.ts';
import type { UsageReader } from './usage.ts';

/**
 * One kind of agent, as a set of capabilities: each is present or absent, and callers check which. Pure: an adapter
 * touches no file, clock or process.
 */
export interface Agent {
  readonly name: string;
  /** Why it cannot be used, for an agent whose entry in the config is wrong. */
  readonly wrong?: string;
  /** It is named in the config, not built in: why it lacks what it lacks. */
  readonly configured?: { readonly lacks: Readonly<Partial<Record<string, string>>> };
  /** Absent: a plain command, which can be any program. */
  readonly program?: Program;
  /** The plan for a run of this session. */
  launch(spec: Spec, callerProcess: CallerProcess, plan: RunPlan): Launch;
  /** It can run as one process per turn. */
  readonly turns?: TurnsDrive;
  /** It has its own screen, into which prompts are typed. */
  readonly live?: LiveDrive;
  /** It can stay between turns and be driven by messages. */
  readonly server?: ServerDrive<unknown>;
  /** It runs our commands to report what happens in it. */
  readonly hooks?: Hooks;
  /** The actions of its tool calls are known. Absent: only the tool names. */
  readonly actions?: ReadActions;
  /** It asks before every tool call, and takes the answer; in which of its drives, `holdsIn` tells. */
  readonly gate?: GateWay;
  /** It stores its conversations where we can read them. */
  readonly record?: AgentRecord<unknown>;
  /**
   * It resumes conversations that we cannot read: one that has an id and was given a prompt is taken for stored. The id
   * is the one that we chose, unless the agent names another.
   */
  readonly resumesUnread?: true;
  /** Its usage can be counted. */
  readonly usage?: UsageReader;
  /** The conversations in its store, including those that Outlast did not start. */
  readonly conversations?: Conversations;
  /** It takes images with a prompt. */
  readonly images?: Images;
  /** How it compacts its conversation when that is too long. A command is typed, or sent as a prompt. */
  readonly compact?: CompactWay;
  /** It can continue with a copy of a conversation, under another id. */
  readonly fork?: true;
}

/** An agent that Outlast reads but does not start: only what is needed to find its program is known. */
export interface ReadAgent extends Omit<Agent, 'launch' | 'program'> {
  readonly program: Pick<Program, 'name' | 'natives' | 'versionArgs' | 'oldest' | 'install'>;
}

/** Environment and umask of the caller's process. Kept in the run's folder, never in the journal. */
export interface CallerProcess {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
}

/** What is decided for one run, in addition to the spec of the session. */
export interface RunPlan {
  readonly how: How;
  /** The current id of the conversation. */
  readonly conversation: ConversationId | null;
  /** The conversation to copy. */
  readonly origin: ConversationId | null;
  /** A file with the prompt, for a run of one turn. */
  readonly promptPath: string | null;
  /** The images of that prompt; missing: none. */
  readonly images?: readonly SentImage[];
  /** The folder of the run. An agent that listens on a Unix socket has it there. */
  readonly folder: string;
  /**
   * The folder into which the files of the launch are written, for this run alone. An agent that takes hooks or policy
   * from a config home only is given this folder as its home.
   */
  readonly files: string;
  /** The shell command that receives the agent's reports on standard input. */
  readonly hook: string;
  /**
   * The shell command of a hook after a tool call, which delivers staged updates to the agent; null: there are never
   * any.
   */
  readonly tell: ((how: TellHow) => string) | null;
  /** How it asks before tool calls; null: it does not have to. */
  readonly ask: AskPlan | null;
}

/** How a hook passes text to the model. */
export interface TellHow {
  /** Printed before and after the text, which is JSON. */
  readonly before: string;
  readonly after: string;
  /** Found in the payload of a hook that belongs to a sub-agent. */
  readonly others: string;
  /** There is nothing else to report. */
  readonly isOnly: boolean;
}
