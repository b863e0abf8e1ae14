/** One thing that the scripted model does: it answers, or it makes trouble. */
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
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly reset?: boolean;
  /** Trouble for so many requests only; then comes what follows it. */
  readonly times?: number;
}

/** What the model does when it is asked, and what when news of its sessions wake it. */
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

/** The place in a story at which a conversation is. */
export interface Place {
  /** What was asked last. */
  readonly prompt: string;
  /** What makes trouble before the answer, with its number in the story. */
  readonly troubles: readonly (readonly [number: number, step: Step])[];
  readonly answer: Step;
  /** The number of the answer in its story; null when there is no story. */
  readonly number: number | null;
  /** Which message of the conversation carries the story: tells two tellings of one story apart. */
  readonly carrier: number;
}

const MARK = 'SCRIPT';
const STORY = /SCRIPT\{[\s\S]*\}SCRIPT/;
/** The second is what the agent itself says when it takes up a call that was put off. */
const CONTINUE = /continue where you left off|^Continue from where you left off\.$/i;
/** How a continuation of ours begins. It quotes what was asked, and the story in it is not a new one. */
const CUT_OFF = /^\s*You were interrupted before you had finished/;

/** How we tell an owner what became of the sessions it started. */
const NEWS = /^\s*\[outlast\] (?:Updates from|News of) /;

/** What the agent says in the name of the person. */
const NOT_A_PROMPT =
  /^\s*(<system-reminder>|<task-notification>|<local-command|<command-name>|\[Request interrupted by)/;

/** What the agent puts where the model said nothing. */
const NOT_AN_ANSWER = /^\s*(No response requested\.|\(no content\))\s*$/;

/** Finds the place by counting: the answers since the prompt that carries the story. So nothing is remembered. */
export function placeIn(messages: readonly Message[]): Place {
  const asked = messages.findLastIndex((message) => promptOf(message) !== '');
  const prompt = textAt(messages, asked);
  const woken = NEWS.test(prompt) ? storyIn(textAt(messages, lastStory(messages)))?.woken : undefined;
  if (woken !== undefined) return { prompt, carrier: asked, ...placeAt(woken, answersAfter(messages, asked)) };
  const isAgain = CONTINUE.test(prompt) && (CUT_OFF.test(prompt) || !STORY.test(prompt));
  const earlier = isAgain ? lastStory(messages) : -1;
  // A turn that is interrupted before any output takes its prompt along: then the continuation is all there is.
  const carrier = earlier === -1 ? asked : earlier;
  const story = storyIn(textAt(messages, carrier));
  if (story === null)
    return { prompt, troubles: [], answer: { text: `You said: ${prompt.slice(0, 200)}` }, number: null, carrier };
  return { prompt, carrier, ...placeAt(story.steps, answersAfter(messages, carrier)) };
}

/** Whether a step keeps the model from answering. */
export function isTrouble(step: Step): boolean {
  return step.hang !== undefined || step.status !== undefined || step.reset === true;
}

function placeAt(steps: readonly Step[], answered: number): Pick<Place, 'troubles' | 'answer' | 'number'> {
  const answers = [...steps.keys()].filter((i) => !isTrouble(steps[i] ?? {}));
  const before = answered === 0 ? -1 : (answers[answered - 1] ?? steps.length);
  const number = answers[answered] ?? steps.length;
  const troubles = [...steps.entries()].filter(([i, step]) => i > before && i < number && isTrouble(step));
  return { troubles, answer: steps[number] ?? { text: 'done' }, number };
}

function answersAfter(messages: readonly Message[], carrier: number): number {
  return messages.slice(carrier + 1).filter(isAnswer).length;
}

function storyIn(text: string): Story | null {
  if (!STORY.test(text)) return null;
  const rest = text.slice(text.indexOf(`${MARK}{`) + MARK.length);
  // It may hold another one, for a sub-agent, and a continuation in the same message quotes it once more.
  for (let end = rest.indexOf(`}${MARK}`); end >= 0; end = rest.indexOf(`}${MARK}`, end + 1)) {
    const story = storyOf(rest.slice(0, end + 1));
    if (story !== null) return story;
  }
  throw new Error(`a story cannot be read: ${text}`);
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

/** The words of a person in a message: no results of tools, nothing that the agent added. */
function promptOf(message: Message): string {
  if (message.role !== 'user') return '';
  return textsOf(message)
    .filter((text) => !NOT_A_PROMPT.test(text))
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
