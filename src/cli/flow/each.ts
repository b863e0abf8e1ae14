import { OutlastError } from '../../client/index.ts';
import type { Context } from '../base/command.ts';
import { EXIT, errorStatus } from '../base/exit.ts';
import { errorText } from '../base/print.ts';

/**
 * Does something for each word. A failure is reported and does not affect the others; the status is that of the
 * failure.
 */
export async function each(
  context: Pick<Context, 'json' | 'print'>,
  words: readonly string[],
  act: (word: string) => Promise<{ value: object; line: string }>,
): Promise<number> {
  const { json, print } = context;
  let status: number = EXIT.fine;
  for (const word of words) {
    try {
      const { value, line } = await act(word);
      if (json) await print.json(value);
      else await print.line(line);
    } catch (error) {
      if (!(error instanceof OutlastError)) throw error;
      status = errorStatus(error);
      const { code, message, hint } = error;
      if (json) await print.json({ error: { code, message, hint } });
      else await print.note(errorText({ message, hint }));
    }
  }
  return status;
}
