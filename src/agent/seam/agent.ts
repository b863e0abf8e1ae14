import type { HookInput } from '../../core/event.ts';
import type { Launch } from '../../core/launch.ts';
import type { ConversationId, Hold, How, Spec, Trouble } from '../../core/session.ts';
import type { Verdict } from '../../core/sight.ts';
import type { Counted, Used } from '../../core/usage.ts';
import type { Conversations } from './conversations.ts';
import type { AskedCall, AskPlan, HookAnswer, SeenCall, Trial, TrialCall } from './gate.ts';
import type { AgentRecord, LineReader } from './record.ts';

export type { AskedCall, AskPlan, GateWay, HookAnswer, SeenCall, Trial, TrialCall } from './gate.ts';

/** What we know about one kind of agent. Pure: no file, no clock, no process is touched here. */
export interface Agent {
  readonly name: string;
  /** The plan for a run of this session. */
  launch(spec: Spec, surroundings: Surroundings, plan: RunPlan): Launch;
  /** How to talk with it; null for a plain command. */
  readonly talk: Talk | null;
  /** What the end of one of its runs means. */
  verdict?(end: RunEnd): Verdict;
  /** The conversations it keeps, whoever began them. */
  readonly conversations?: Conversations;
}

/** What is known of a run that has ended. */
export interface RunEnd {
  readonly status: number;
  readonly drive: Spec['drive'];
  /** Its terminal was gone before it. */
  readonly terminalGone: boolean;
  /** Somebody was attached, or typed into it, shortly before. */
  readonly personSeen: boolean;
  /** Why the agent said that it leaves; null: it did not say. */
  readonly lastWord: string | null;
}

/** What the caller's process had around it when it asked. Kept in the run's folder, never in the journal. */
export interface Surroundings {
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
  /** The shell command that takes what the agent reports on its standard input. */
  readonly hook: string;
  /** The same for a hook after a tool, which takes along what is laid out for the agent; null: nothing ever is. */
  readonly tell: ((how: TellHow) => string) | null;
  /** The same for tool calls that somebody is asked about; null: nobody is. */
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

/** How an agent is understood: what it reports, shows and writes down, and what it is told with. */
export interface Talk {
  /** Short names of models and what they mean. */
  readonly models: readonly ModelRow[];
  /** Does this look like the full id of a model? */
  isModelId(name: string): boolean;
  /** The levels of thinking that it knows, least first; none: nobody can choose one. */
  readonly thinking: readonly string[];
  /** What stands against these arguments, in a sentence each. */
  refusals(args: readonly string[], isGated: boolean): readonly string[];
  /** A text that the agent would take for a command of its own, when it is typed or in any case. */
  isCommand(text: string, isTyped: boolean): boolean;
  /** A text as it has to be typed so that Enter submits it. */
  typed(text: string): string;
  /** Is what the agent reports that it heard what was sent to it? */
  isSameText(sent: string, heard: string): boolean;
  /** A text as its input box shows it, without blanks: lines are wrapped there. */
  boxText(text: string): string;
  /** Is this what the box shows in place of a text that is too long for it? */
  isPlaceholder(draft: string, text: string): boolean;
  /** The call that a hook asks about; null when it cannot be understood. */
  asked(payload: unknown): AskedCall | null;
  /** What a hook that asked shall print. */
  answer(answer: HookAnswer): string;
  /** The tool calls in whole lines of a transcript or of the output of a run of one turn. */
  seenCalls(text: string): readonly SeenCall[];
  /** What a hook's payload says; empty when it is of no interest. */
  hook(payload: unknown, run: number, nowMs: number): readonly HookNews[];
  screen(rows: readonly string[]): ScreenRead;
  /** The file in which the agent says how it is, and what it says there. */
  stateFile(env: Env, pid: number): string | null;
  state(text: string): StateRead | null;
  /** The folder below which, one level deep, transcripts lie under their conversation's id. */
  transcripts(env: Env): string | null;
  /** How a transcript is read. */
  readonly record: AgentRecord<unknown>;
  /** The folder in which its sub-agents write down theirs, by the path of its own. */
  sideTranscripts(path: string): string;
  /** What was used up since the last count: by the transcripts and, of a run of one turn, by its own words. */
  spent(spoken: SpokenBy, since: Counted, said: TurnEnd | null): Used | null;
  /** Whoever has the same is billed and logged in together. */
  account(env: Env): string;
  /** Listens to the output of a run of one turn from its beginning, for what would else be told by hooks. */
  listener(run: number): Listener;
  /** How the output of a run of one turn is read: what it says at a time; null while it says nothing final. */
  readonly stream: LineReader<unknown, (nowMs: number) => TurnEnd | null>;
  /** How a transcript is read for people, turn by turn. */
  readonly turns: LineReader<unknown, readonly TurnRead[]>;
  readonly keys: { readonly interrupt: readonly string[]; readonly clear: (text: string) => readonly string[] };
  /** What makes it shorten its conversation, typed or as a prompt of one turn; null: nothing does. */
  readonly compact: string | null;
  /** What is typed to make it leave. */
  readonly quit: string;
  /** What a folder may hold that the agent would act on: files and folders, relative. */
  readonly ownFiles: readonly string[];
  readonly program: Program;
}

/** What can be asked of the program itself. */
export interface Program {
  readonly name: string;
  readonly versionArgs: readonly string[];
  /** The oldest version we know. */
  readonly oldest: string;
  /** How to get it. */
  readonly install: string;
  /** Variables that keep it from the network and from the settings of the person; with a model to talk to, or none. */
  alone(home: string, model?: string): Env;
  /** How it is led to make these calls: what it is asked, and what its model answers. */
  trial(calls: readonly TrialCall[]): Trial;
}

type Env = Readonly<Record<string, string>>;

/** One row of the routing table: a short name that people use, the model it means, and a word about it. */
export interface ModelRow {
  readonly name: string;
  readonly id: string;
  readonly about: string;
}

/** What a hook reports. Whose prompt it is about is found out by whoever knows what was sent. */
export type HookNews = HookInput;

/** Is given every line in turn, and says what it is news of. The same lines always give the same. */
export interface Listener {
  (line: string): readonly HookNews[];
  /** A line that only shows that the connection is there, and not that anything is got on with. */
  isKeepAlive?(line: string): boolean;
}

/** What a screen shows. */
export type ScreenRead =
  /** tokens: of the reply so far, where the screen counts them. */
  | { readonly is: 'ready' | 'busy'; readonly draft: string | null; readonly tokens?: number }
  | { readonly is: 'dialog'; readonly why: Hold }
  | { readonly is: 'unknown' };

/** What the agent says of itself. */
export interface StateRead {
  readonly pid: number;
  readonly is: 'idle' | 'busy' | 'waiting' | 'unknown';
  readonly conversation: string | null;
}

/** How a turn ended, or that it did not. */
export interface TurnEnd {
  /** deferred: put off in the middle, until somebody decides about a call. */
  readonly turn: 'open' | 'closed' | 'failed' | 'interrupted' | 'deferred';
  /** The reply, or the words of the error. */
  readonly reply: string;
  /** Why it failed. */
  readonly trouble?: Trouble;
  /** What it used up, as far as it says. */
  readonly used?: SaidUsed;
}

/** What a process says that it used up. */
export interface SaidUsed {
  readonly tokens: number;
  readonly usd: number | null;
  /** What one token that is read costs, by model. */
  readonly prices?: Readonly<Record<string, number>>;
}

/** A message of the model, and what it used up. */
export interface Spoken {
  /** The agent's own id of it. */
  readonly message: string;
  readonly model: string | null;
  readonly tokens: number;
  /** The same, each as much as it costs. */
  readonly weight: number;
  readonly atMs: number | null;
  /** Counts the prompts of the conversation: after which of them it was said. */
  readonly prompt: number;
  /** What the conversation had cost when that prompt was given. */
  readonly usdBefore: number;
}

/** What the agent itself said, and what its sub-agents said in files of their own. */
export interface SpokenBy {
  readonly main: readonly Spoken[];
  readonly side: readonly Spoken[];
}

/** A prompt in a transcript. */
export interface HeardPrompt extends TurnEnd {
  /** What its text is compared by. */
  readonly keys: readonly string[];
  /** The agent's own id of the turn. */
  readonly mark: string | null;
  /** It joined a turn that was running, and comes under that turn's id. */
  readonly isSteered: boolean;
  /** Wall time. */
  readonly atMs: number | null;
}

/** A turn for people and programs. */
export interface TurnRead {
  readonly prompt: string;
  /** As Markdown; the results of tools are cut unless everything is wanted. */
  markdown(full: boolean): string;
  readonly data: Readonly<Record<string, unknown>>;
}
