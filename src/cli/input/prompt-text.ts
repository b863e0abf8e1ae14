import { errnoOf } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import type { Clock } from '../../client/clock.ts';
import { fs } from '../../client/node.ts';
import { wrongCall } from '../base/parse.ts';
import type { Print } from '../base/print.ts';
import { stdinKind } from './stdin.ts';

/** Where a prompt may come from. Exactly one of them is used. */
export interface PromptSource {
  /** The command that asks, for its messages. */
  readonly name: string;
  /** The arguments: none, the text, or a dash for standard input. */
  readonly words: readonly string[];
  readonly file: string | undefined;
  /** Is standard input read when nothing else is given? */
  readonly implicit: boolean;
}

interface CallerProcess {
  readonly print: Print;
  readonly clock: Clock;
}

const PROMPT_BYTES_MAX = 1024 * 1024;
// After this long without a message, a person thinks that it hangs.
const QUIET_MS = 2_000;

/** The prompt, or undefined when there is none. An invalid prompt is refused here. */
export async function promptOf(source: PromptSource, caller: CallerProcess): Promise<string | undefined> {
  const { name, words, file } = source;
  const [word] = words;
  if (words.length > 1)
    throw wrongCall(
      `${name}: the prompt is one argument, found ${words.length}; put it in quotes: ${quotedExample(source)}`,
    );
  if (word !== undefined && file !== undefined) throw wrongCall(`${name}: pass the prompt or --prompt-file, not both`);
  if (file !== undefined) return checked(name, decoded(name, readFile(name, file)));
  if (word !== undefined && word !== '-') return checked(name, word);
  if (word === '-') return checked(name, decoded(name, await readInput(source, caller)));
  if (!source.implicit || stdinKind() !== 'stream') return undefined;
  const text = decoded(name, await readInput(source, caller));
  return text.trim() === '' ? undefined : checked(name, text);
}

/** The words in quotes, where they are few and contain none. */
function quotedExample({ name, words }: PromptSource): string {
  const session = ['prompt', 'converse', 'resume'].includes(name) ? ' S' : '';
  const text = words.join(' ');
  return `outlast ${name}${session} "${text.length > 60 || /["$`\\!]/.test(text) ? '…' : text}"`;
}

/** The prompt for a command that needs one. */
export async function neededPrompt(source: PromptSource, caller: CallerProcess): Promise<string> {
  const text = await promptOf(source, caller);
  if (text !== undefined) return text;
  throw wrongCall(`${source.name}: missing prompt: a text in quotes, - for standard input, or --prompt-file FILE`);
}

function checked(name: string, text: string): string {
  if (text.trim() === '') throw wrongCall(`${name}: the prompt is blank; write what the agent should do`);
  const bytes = Buffer.byteLength(text);
  if (bytes > PROMPT_BYTES_MAX) throw tooLong(name, `${bytes} bytes`);
  return text;
}

function tooLong(name: string, found: string): Error {
  return wrongCall(
    `${name}: the prompt has ${found}, at most ${PROMPT_BYTES_MAX} (1 MiB) can be sent; ` +
      'put the rest into a file that the agent can read, and name it in the prompt',
  );
}

function decoded(name: string, bytes: Buffer): string {
  const text = bytes.toString('utf8');
  // Invalid UTF-8 would arrive changed.
  if (!Buffer.from(text).equals(bytes)) throw wrongCall(`${name}: the prompt is not UTF-8 text`);
  return text;
}

function readFile(name: string, path: string): Buffer {
  try {
    const { size } = fs.statSync(path);
    if (size > PROMPT_BYTES_MAX) throw tooLong(name, `${size} bytes`);
    return fs.readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    throw wrongCall(`${name}: --prompt-file: cannot read ${path}: ${causeText(error)}`);
  }
}

async function readInput({ name }: PromptSource, { print, clock }: CallerProcess): Promise<Buffer> {
  const over = new AbortController();
  const impatient = clock.sleep(QUIET_MS, over.signal).then(async () => {
    if (!over.signal.aborted) await print.note(`outlast: ${name}: reading the prompt from standard input …`);
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      over.abort();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > PROMPT_BYTES_MAX) throw tooLong(name, `more than ${PROMPT_BYTES_MAX} bytes`);
    }
  } finally {
    over.abort();
    await impatient;
  }
  return Buffer.concat(chunks);
}
