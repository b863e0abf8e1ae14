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

/** What the agent says in the name of the person. */
const NOT_A_PROMPT = /^\s*(<system-reminder>|<local-command|<command-name>|\[Request interrupted by user)/;

/** What the agent puts where the model said nothing. */
const NOT_AN_ANSWER = /^\s*(No response requested\.|\(no content\))\s*$/;

/** Finds the place by counting: the answers since the prompt that carries the story. So nothing is remembered. */
export function placeIn(messages: readonly Message[]): Place {
  const asked = messages.findLastIndex((message) => promptOf(message) !== '');
  const prompt = textAt(messages, asked);
  const isAgain = CONTINUE.test(prompt) && (CUT_OFF.test(prompt) || !STORY.test(prompt));
  const earlier = isAgain ? lastStory(messages) : -1;
  // A turn that is interrupted before any output takes its prompt along: then the continuation is all there is.
  const carrier = earlier === -1 ? asked : earlier;
  const steps = stepsIn(textAt(messages, carrier));
  if (steps === null)
    return { prompt, troubles: [], answer: { text: `You said: ${prompt.slice(0, 200)}` }, number: null, carrier };
  const answered = messages.slice(carrier + 1).filter(isAnswer).length;
  return { prompt, carrier, ...placeAt(steps, answered) };
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

function stepsIn(text: string): readonly Step[] | null {
  if (!STORY.test(text)) return null;
  const rest = text.slice(text.indexOf(`${MARK}{`) + MARK.length);
  // It may hold another one, for a sub-agent, and a continuation in the same message quotes it once more.
  for (let end = rest.indexOf(`}${MARK}`); end >= 0; end = rest.indexOf(`}${MARK}`, end + 1)) {
    const steps = stepsOf(rest.slice(0, end + 1));
    if (steps !== null) return steps;
  }
  throw new Error(`a story cannot be read: ${text}`);
}

function stepsOf(json: string): readonly Step[] | null {
  try {
    return (JSON.parse(json) as { steps: readonly Step[] }).steps;
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
