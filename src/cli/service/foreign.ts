import { errnoOf } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import { OutlastError } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import type { Print } from '../base/print.ts';
import { readLine, stdinKind } from '../input/stdin.ts';
import type { Facts } from './plan.ts';

/** What happens to interrupted conversations that Outlast did not start. */
export type Foreign = 'auto' | 'ask' | 'off';

const WORDS: readonly string[] = ['auto', 'ask', 'off'] satisfies Foreign[];

const QUESTION = `After a restart, Outlast always resumes its own sessions. Conversations started without it:
  auto  are resumed automatically
  ask   you are notified and choose (the default)
  off   are left alone
Which? [ask] `;

/** Checks the value of --foreign. */
export function foreignWord(word: string | undefined): Foreign | null {
  if (word === undefined) return null;
  if (WORDS.includes(word)) return word as Foreign;
  throw new OutlastError('input_invalid', `--foreign: "${word}" is not one of ${WORDS.join(', ')}`);
}

/** Asks the person once: not when the config has an answer, and not without a terminal. */
export async function askForeign(file: string, print: Print): Promise<Foreign | null> {
  const boot = readConfig(file).boot;
  const isSaid = typeof boot === 'object' && boot !== null && 'foreign' in boot;
  if (isSaid || stdinKind() !== 'tty' || !print.stderr.isTty) return null;
  await print.stderr.write(QUESTION);
  const word = readLine().trim().toLowerCase() || 'ask';
  return foreignWord(word);
}

/** Writes the answer to the config; everything else in it stays. */
export function keepForeign(file: string, foreign: Foreign): void {
  const config = readConfig(file);
  const boot = typeof config.boot === 'object' ? config.boot : {};
  const text = `${JSON.stringify({ ...config, boot: { ...boot, foreign } }, null, 2)}\n`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.tmp`, text, { mode: 0o600 });
  fs.renameSync(`${file}.tmp`, file);
}

/** The config that the daemon reads. */
export function configFile(env: Readonly<Record<string, string | undefined>>, { configHome }: Facts): string {
  return env.OUTLAST_CONFIG || path.join(configHome, 'outlast', 'config.json');
}

function readConfig(file: string): Record<string, unknown> {
  const refuse = (why: string, cause: unknown): never => {
    throw new OutlastError('config_invalid', `the config file ${file} ${why}; nothing was written`, { cause });
  };
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {};
    return refuse(error instanceof SyntaxError ? 'is not JSON' : `cannot be read: ${causeText(error)}`, error);
  }
}
