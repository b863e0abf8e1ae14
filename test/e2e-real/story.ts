import { withoutPasteTags } from '../agents/under-test/claude-pasted.ts';

/** One step of the scripted model: an answer or a fault. */
export interface Step {
  readonly text?: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly tools?: readonly ToolCall[];
  readonly say?: string;
  readonly think?: string;
  readonly delayMs?: number;
  readonly pace?: number;
  readonly hang?: 'headers' | 'stream' | 'pings';
  /** The first request for it gets nothing, or the first half of a paced text, until the server is told to go on. */
  readonly held?: 'whole' | 'half';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reset?: boolean;
  /** The number of requests that get this fault; then the next step follows. */
  readonly times?: number;
}

/** The steps of a prompt, and those of an update about sessions that it started. */
interface Story {
  readonly steps: readonly Step[];
  readonly woken?: readonly Step[];
}

/** A call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A message of a request, as the API has it. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

/** A part of a message. */
export interface Block {
  readonly type: string;
  readonly text?: string;
}

/** The position of a conversation in its script. */
export interface Place {
  /** The last prompt. */
  readonly prompt: string;
  /** The faults before the answer, with their numbers in the script. */
  readonly faults: readonly (readonly [number: number, step: Step])[];
  readonly answer: Step;
  /** The number of the answer in its script; null without a script. */
  readonly number: number | null;
  /** The index of the message with the script: distinguishes two prompts with the same script. */
  readonly carrier: number;
}

const MARK = 'SCRIPT';
const STORY = /SCRIPT\{[\s\S]*\}SCRIPT/;
/** The second is the agent's own prompt when it resumes a deferred call. */
const CONTINUE = /continue where you left off|^Continue from where you left off\.$/i;
/** The start of a continuation by Outlast. It quotes the prompt, so the script in it is not a new one. */
const CUT_OFF = /^\s*You were interrupted before you had finished/;

/** The start of an update to an owner. */
const NEWS = /^\s*\[outlast\] (?:Updates from|News of) /;

/** User messages that the agent adds. */
const NOT_A_PROMPT =
  /^\s*(<system-reminder>|<task-notification>|<local-command|<command-name>|\[Request interrupted by)/;

/** What agents say about the images of a prompt. */
const ABOUT_IMAGES = /^\s*(Called the Read tool|Image read successfully|Image file at path)/;

/** The images that a prompt names. */
const IMAGES = /^(\s*@\S+\.png)+\s/;

/** What the agent writes where the model said nothing. */
const NOT_AN_ANSWER =
  /^\s*(No response requested\.|\(no content\)|\[The previous response was interrupted before it completed\.\])\s*$/;

/** Finds the position by counting the answers since the prompt with the script, so the server keeps no state. */
export function placeIn(messages: readonly Message[]): Place {
  const asked = messages.findLastIndex((message) => promptOf(message) !== '');
  const prompt = textAt(messages, asked);
  const woken = NEWS.test(prompt) ? storyIn(textAt(messages, lastStory(messages)))?.woken : undefined;
  if (woken !== undefined) return { prompt, carrier: asked, ...placeAt(woken, answersAfter(messages, asked)) };
  const isAgain = CONTINUE.test(prompt) && (CUT_OFF.test(prompt) || !STORY.test(prompt));
  const earlier = isAgain ? lastStory(messages) : -1;
  // A turn interrupted before any output removes its prompt: then only the continuation is left.
  const carrier = earlier === -1 ? asked : earlier;
  const story = storyIn(textAt(messages, carrier));
  if (story === null)
    return { prompt, faults: [], answer: { text: `You said: ${prompt.slice(0, 200)}` }, number: null, carrier };
  const [answers, named] = [answersAfter(messages, carrier), namedCalls(story.steps, messages.slice(carrier))];
  // Without the earlier prompt none of the named calls is among the answers.
  const done = isAgain && earlier === -1 ? named + answers : Math.max(answers, named);
  return { prompt, carrier, ...placeAt(story.steps, done) };
}

/** Whether a step is a fault instead of an answer. */
export function isFault(step: Step): boolean {
  return step.hang !== undefined || step.status !== undefined || step.reset === true;
}

function placeAt(steps: readonly Step[], answered: number): Pick<Place, 'faults' | 'answer' | 'number'> {
  const answers = [...steps.keys()].filter((i) => !isFault(steps[i] ?? {}));
  const before = answered === 0 ? -1 : (answers[answered - 1] ?? steps.length);
  const number = answers[answered] ?? steps.length;
  const faults = [...steps.entries()].filter(([i, step]) => i > before && i < number && isFault(step));
  return { faults, answer: steps[number] ?? { text: 'done' }, number };
}

function answersAfter(messages: readonly Message[], carrier: number): number {
  return messages.slice(carrier + 1).filter(isAnswer).length;
}

/** A continuation names calls with an unknown result. As it says, none of them is made again. */
function namedCalls(steps: readonly Step[], messages: readonly Message[]): number {
  const named = messages.flatMap((message) => NAMED.exec(promptOf(message))?.[0] ?? []).map(lettersOf);
  const answers = steps.filter((step) => !isFault(step));
  return (
    1 + answers.findLastIndex(({ input }) => named.some((text) => commandsOf(input).some((one) => text.includes(one))))
  );
}

/** The lines of a continuation by Outlast that name calls. */
const NAMED = /^(These tool calls had ended|It is not known what became of)[\s\S]*?^Check what is already done/m;

function commandsOf(input: unknown): string[] {
  const { command, cmd } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return [command, cmd].flatMap((text) => (typeof text === 'string' ? lettersOf(text) : []));
}

/** Agents quote commands in their own ways. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^a-z0-9]/gi, '');
}

function storyIn(text: string): Story | null {
  if (!STORY.test(text)) return null;
  const rest = text.slice(text.indexOf(`${MARK}{`) + MARK.length);
  // It may contain another one, for a sub-agent, and a continuation in the same message quotes it again.
  for (let end = rest.indexOf(`}${MARK}`); end >= 0; end = rest.indexOf(`}${MARK}`, end + 1)) {
    const story = storyOf(rest.slice(0, end + 1));
    if (story !== null) return story;
  }
  throw new Error(`a script cannot be read: ${text}`);
}

function storyOf(json: string): Story | null {
  try {
    return JSON.parse(json) as Story;
  } catch {
    return null;
  }
}

function lastStory(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => STORY.test(promptOf(message)) && !CUT_OFF.test(promptOf(message)));
}

function textAt(messages: readonly Message[], index: number): string {
  const message = messages[index];
  return message === undefined ? '' : promptOf(message);
}

/** The text of a person in a message, without tool results and what the agent added. */
function promptOf(message: Message): string {
  if (message.role !== 'user') return '';
  return textsOf(message)
    .filter((text) => !NOT_A_PROMPT.test(text) && !ABOUT_IMAGES.test(text))
    .map((text) => withoutPasteTags(text).replace(IMAGES, ''))
    .join('\n')
    .trim();
}

function isAnswer(message: Message): boolean {
  if (message.role !== 'assistant') return false;
  const isCalling = typeof message.content !== 'string' && message.content.some(({ type }) => type === 'tool_use');
  return isCalling || !textsOf(message).every((text) => NOT_AN_ANSWER.test(text));
}

function textsOf({ content }: Message): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
}
