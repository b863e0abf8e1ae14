import { createContext, Script } from 'node:vm';
import { OutlastError } from './errors.ts';

/** An expression that backtracks forever must not stop the daemon: it is interrupted. */
const MATCH_MS_MAX = 250;

const EXEC = new Script('pattern.exec(text)');

/** A regular expression from outside, as a function that returns the first match, or null. It never runs for long. */
export function matcher(source: string): (text: string) => string | null {
  const context = createContext({ pattern: patternOf(source), text: '' });
  return (text) => {
    context.text = text;
    try {
      return (EXEC.runInContext(context, { timeout: MATCH_MS_MAX }) as RegExpExecArray | null)?.[0] ?? null;
    } catch (cause) {
      throw new OutlastError('input_invalid', `the expression ${source} takes too long on this text`, { cause });
    }
  };
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
