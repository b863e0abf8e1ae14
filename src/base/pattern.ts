import { createContext, Script } from 'node:vm';
import { OutlastError } from './errors.ts';

/** An expression that backtracks forever must not stop the daemon: it is interrupted. */
const MATCH_MS_MAX = 250;
/** On a busy machine the time may pass without much of a CPU for us: then the match is tried again. */
const TRIES_MAX = 3;

const EXEC = new Script('pattern.exec(text)');

/** A regular expression from outside, as a function that returns the first match, or null. It never runs for long. */
export function matcher(source: string, cpuMs = threadCpuMs): (text: string) => string | null {
  const context = createContext({ pattern: patternOf(source), text: '' });
  const match = (text: string, triesLeft: number): string | null => {
    context.text = text;
    const beganMs = cpuMs();
    try {
      return (EXEC.runInContext(context, { timeout: MATCH_MS_MAX }) as RegExpExecArray | null)?.[0] ?? null;
    } catch (cause) {
      if (triesLeft > 0 && cpuMs() - beganMs < MATCH_MS_MAX / 2) return match(text, triesLeft - 1);
      throw new OutlastError('input_invalid', `the expression ${source} takes too long on this text`, { cause });
    }
  };
  return (text) => match(text, TRIES_MAX - 1);
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function patternOf(source: string): RegExp {
  try {
    return new RegExp(source, 'm');
  } catch (cause) {
    throw new OutlastError(
      'input_invalid',
      `"${source}" is not a valid regular expression: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
}
