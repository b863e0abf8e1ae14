import { type Fields, fieldsOf, listOf, numberOf, readJson, textOf } from './json.ts';

/** One step of the scripted model. */
export type Step = Pacing & StepKind;

/** The kinds of steps. Steps that fail or hang give no answer: the next request reaches them again. */
export type StepKind =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'tools'; readonly say: string | null; readonly tools: readonly ToolStep[] }
  | { readonly is: 'hang' }
  | { readonly is: 'status'; readonly status: number; readonly body: string | null; readonly headers: Fields }
  | { readonly is: 'exit'; readonly status: number }
  | { readonly is: 'kill'; readonly signal: number };

/** A tool call in a story. */
export interface ToolStep {
  readonly tool: string;
  readonly input: Fields;
}

/** What ends a failing step that persists. */
export type Cure = 'compact' | 'fork';

/** What a story needs to know about its conversation. */
export interface Progress {
  /** How often a step without an answer was reached before. */
  met(key: string): number;
  isCured(cure: Cure): boolean;
}

/** Nothing happened before. */
export const FRESH: Progress = { met: () => 0, isCured: () => false };

interface Pacing {
  readonly think: string | null;
  readonly delayMs: number;
  /** Milliseconds between the pieces of a text; 0: all at once. */
  readonly paceMs: number;
  /** How often a step without an answer is reached before the next step replaces it. */
  readonly times: number;
  /** Or until the conversation was compacted or forked. */
  readonly until: Cure | null;
}

/** The conversation so far, as far as a story needs it: the texts of the user, and the number of answers after each. */
export interface Said {
  readonly text: string;
  readonly answers: number;
}

/** The step to play, and a key for it: which prompt has the story, and the number of the step. */
export interface Cue {
  readonly step: Step;
  readonly key: string;
}

const MARKED = /SCRIPT\{[\s\S]*?\}SCRIPT/;
const MARK = 'SCRIPT';
const AGAIN = /continue where you left off/i;
/** The beginning of our continuation prompt. It quotes the original prompt, and the story in it is not a new one. */
const CUT_OFF = /^You were interrupted before you had finished/;
const REPLY_CHARS_MAX = 200;
const PLAIN: Pacing = { think: null, delayMs: 0, paceMs: 0, times: Number.POSITIVE_INFINITY, until: null };

/** The step that answers the conversation so far. */
export function cueFor(said: readonly Said[], progress: Progress): Cue {
  const last = said.at(-1);
  const isAgain = last !== undefined && AGAIN.test(last.text) && (CUT_OFF.test(last.text) || !MARKED.test(last.text));
  const isStory = ({ text }: Said): boolean => MARKED.test(text) && !CUT_OFF.test(text);
  const earlier = isAgain ? said.findLastIndex(isStory) : said.length - 1;
  // A conversation that lost its prompt has only the continuation, which quotes all of it.
  const at = earlier < 0 ? said.length - 1 : earlier;
  const steps = storyOf(said[at]?.text ?? '');
  if (steps === null) return { key: '', step: text(last === undefined || last.answers > 0 ? 'done' : echo(last.text)) };
  const begun = earlier < 0 ? namedIn(last?.text ?? '', steps) : 0;
  const answers = begun + said.slice(at).reduce((sum, one) => sum + one.answers, 0);
  return stepAt(steps, answers, (number) => `${at}.${number}`, progress);
}

/** How many answers there were up to the last call that a continuation names: none of them is made again. */
function namedIn(continuation: string, steps: readonly Step[]): number {
  const [head = ''] = continuation.split('Check what is already done');
  const isNamed = (step: Step): boolean =>
    step.is === 'tools' && step.tools.some(({ input }) => lettersOf(head).includes(lettersOf(String(input.command))));
  return 1 + steps.filter((step) => step.is === 'text' || step.is === 'tools').findLastIndex(isNamed);
}

function lettersOf(words: string): string {
  return words.replaceAll(/[^a-z0-9]/gi, '');
}

/** The steps in a text; null when it has none. */
export function storyOf(prompt: string): readonly Step[] | null {
  if (!MARKED.test(prompt)) return null;
  const story = fieldsOf(readMarked(prompt.slice(prompt.indexOf(`${MARK}{`) + MARK.length)));
  if (Object.keys(story).length === 0) return [text('the story cannot be read')];
  const steps = 'steps' in story ? listOf(story.steps) : [story];
  return steps.map((step) => stepOf(fieldsOf(step)));
}

/** A story may contain another one, for a sub-agent: it ends at the first end marker that makes it valid JSON. */
function readMarked(rest: string): unknown {
  for (let end = rest.indexOf(`}${MARK}`); end >= 0; end = rest.indexOf(`}${MARK}`, end + 1)) {
    const story = readJson(rest.slice(0, end + 1));
    if (story !== null) return story;
  }
  return null;
}

function stepAt(
  steps: readonly Step[],
  answers: number,
  keyOf: (number: number) => string,
  { met, isCured }: Progress,
): Cue {
  let left = answers;
  for (const [number, step] of steps.entries()) {
    const isAnswer = step.is === 'text' || step.is === 'tools';
    const isThere = met(keyOf(number)) < step.times && !(step.until !== null && isCured(step.until));
    if (left === 0 && (isAnswer || isThere)) return { key: keyOf(number), step };
    if (isAnswer) left -= 1;
  }
  return { key: keyOf(steps.length), step: text('done') };
}

function stepOf(fields: Fields): Step {
  const pacing = {
    think: textOf(fields.think),
    delayMs: numberOf(fields.delayMs) ?? 0,
    paceMs: numberOf(fields.pace) ?? 0,
    times: numberOf(fields.times) ?? Number.POSITIVE_INFINITY,
    until: cureOf(fields.until),
  };
  return { ...pacing, ...kindOf(fields) };
}

function cureOf(word: unknown): Cure | null {
  return word === 'compact' || word === 'fork' ? word : null;
}

function kindOf(fields: Fields): StepKind {
  const say = textOf(fields.say);
  if ('hang' in fields) return { is: 'hang' };
  if ('status' in fields || fields.reset === true)
    return {
      is: 'status',
      // A connection that was cut has no status.
      status: numberOf(fields.status) ?? 0,
      body: textOf(fields.body),
      headers: fieldsOf(fields.headers),
    };
  if ('exit' in fields) return { is: 'exit', status: numberOf(fields.exit) ?? 1 };
  if ('kill' in fields) return { is: 'kill', signal: numberOf(fields.kill) ?? 9 };
  if ('tools' in fields) return { is: 'tools', say, tools: listOf(fields.tools).map((one) => toolOf(fieldsOf(one))) };
  if ('tool' in fields) return { is: 'tools', say: say ?? textOf(fields.text), tools: [toolOf(fields)] };
  return { is: 'text', text: textOf(fields.text) ?? 'done' };
}

function toolOf(fields: Fields): ToolStep {
  return { tool: textOf(fields.tool) ?? textOf(fields.name) ?? 'Bash', input: fieldsOf(fields.input) };
}

function text(words: string): Step {
  return { ...PLAIN, is: 'text', text: words };
}

function echo(prompt: string): string {
  return `You said: ${prompt.trim().slice(0, REPLY_CHARS_MAX)}`;
}
