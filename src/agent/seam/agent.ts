import type { Launch } from '../../core/launch.ts';
import type { ReadActions } from '../../core/rules/action.ts';
import type { ConversationId, How, Spec } from '../../core/session.ts';
import type { Conversations } from './conversations.ts';
import type { AskPlan, GateWay } from './gate.ts';
import type { Hooks } from './hooks.ts';
import type { LiveDrive } from './live.ts';
import type { Program } from './program.ts';
import type { AgentRecord } from './record.ts';
import type { ServerDrive } from './server.ts';
import type { TurnsDrive } from './turns.ts';
import type { UsageReader } from './usage.ts';

/**
 * What we know about one kind of agent, as a set of capabilities: each is there or is not, and callers ask which. Pure:
 * no file, no clock, no process is touched here.
 */
export interface Agent {
  readonly name: string;
  /** Absent: a plain command, which can be any program. */
  readonly program?: Program;
  /** The plan for a run of this session. */
  launch(spec: Spec, callerProcess: CallerProcess, plan: RunPlan): Launch;
  /** It can be run as one process per turn. */
  readonly turns?: TurnsDrive;
  /** It has a screen of its own, into which prompts are typed. */
  readonly live?: LiveDrive;
  /** It can stay between turns and be spoken to in messages. */
  readonly server?: ServerDrive<unknown>;
  /** It runs commands of ours that report what happens in it. */
  readonly hooks?: Hooks;
  /** It is known what its tool calls would do. Absent: only what the tools are called. */
  readonly actions?: ReadActions;
  /** It asks before every tool call, and takes the answer; in which of its drives, `holdsIn` tells. */
  readonly gate?: GateWay;
  /** It writes its conversation down where we can read it. */
  readonly record?: AgentRecord<unknown>;
  /** What a session used up can be counted. */
  readonly usage?: UsageReader;
  /** The conversations it keeps, whoever began them. */
  readonly conversations?: Conversations;
  /** What makes it shorten its conversation, typed or as a prompt of one turn. */
  readonly compact?: string;
  /** It can go on with a copy of a conversation, under another id. */
  readonly fork?: true;
}

/** An agent that is read and not started: what is known of its program is what it takes to find it. */
export interface ReadAgent extends Omit<Agent, 'launch' | 'program'> {
  readonly program: Pick<Program, 'name' | 'versionArgs' | 'oldest' | 'install'>;
}

/** What the caller's process had around it when it asked. Kept in the run's folder, never in the journal. */
export interface CallerProcess {
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
}

/** What is decided for one run besides what the session wants. */
export interface RunPlan {
  readonly how: How;
  /** The conversation as it is called now. */
  readonly conversation: ConversationId | null;
  /** The conversation that this one shall be a copy of. */
  readonly origin: ConversationId | null;
  /** A file with the prompt, for a run of one turn. */
  readonly promptPath: string | null;
  /** The folder of the run. An agent that listens on a socket has it there. */
  readonly folder: string;
  /**
   * The folder into which the files of the launch are written, for this run alone. An agent that takes hooks or policy
   * from a config home only is given this folder as its home.
   */
  readonly files: string;
  /** The shell command that takes what the agent reports on its standard input. */
  readonly hook: string;
  /**
   * The shell command of a hook after a tool, which delivers queued updates to the agent; null: there are never any.
   */
  readonly tell: ((how: TellHow) => string) | null;
  /** How it asks before tool calls; null: it need not ask. */
  readonly ask: AskPlan | null;
}

/** How a hook says something to the model. */
export interface TellHow {
  /** What it prints before and after the text, which is JSON. */
  readonly before: string;
  readonly after: string;
  /** What is in the payload of a hook that is not the agent's own. */
  readonly others: string;
  /** There is nothing else to report. */
  readonly isOnly: boolean;
}
