import { errnoOf } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import { OutlastError } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import type { Context } from '../base/command.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { inEditor } from '../input/editor.ts';
import { stdinKind } from '../input/stdin.ts';
import { type Changed, checkedFile, configPath, replaceText } from './ask.ts';
import { mistakeLine } from './words.ts';

const EMPTY = '{\n}\n';

/** Lets a person edit a copy of the config file until it has no mistakes, and saves it. Null: nothing was saved. */
export async function editedConfig({ env, print }: Pick<Context, 'env' | 'print'>): Promise<Changed | null> {
  if (stdinKind() !== 'tty') throw wrongCall('config edit: standard input is not a terminal; use `outlast config set`');
  const file = configPath(env);
  const before = textOf(file);
  const folder = fs.mkdtempSync(path.join(process.getBuiltinModule('node:os').tmpdir(), 'outlast-edit-'));
  const copy = path.join(folder, 'config.json');
  fs.writeFileSync(copy, before ?? EMPTY, { mode: 0o600 });
  for (;;) {
    const status = inEditor(copy, env);
    if (status !== 0) return await given(print, `the editor exited with ${status}; nothing was saved`, folder);
    const after = fs.readFileSync(copy, 'utf8');
    if (after === (before ?? EMPTY)) return await given(print, 'nothing was changed', folder);
    const { mistakes } = checkedFile(env, copy);
    if (mistakes.length === 0) return saved(env, { before, after, copy });
    for (const mistake of mistakes) await print.note(oneLine(mistakeLine(file, mistake)));
    if (!(await wantsAgain(print))) return await given(print, `nothing was saved; your text is in ${copy}`, null);
  }
}

interface Edited {
  readonly before: string | null;
  readonly after: string;
  readonly copy: string;
}

function saved(env: Context['env'], { before, after, copy }: Edited): Changed {
  try {
    const made = replaceText(env, before, after);
    fs.rmSync(path.dirname(copy), { recursive: true, force: true });
    return made;
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    throw new OutlastError(error.code, `${error.message}; your text is in ${copy}`, { cause: error });
  }
}

async function given(print: Context['print'], why: string, folder: string | null): Promise<null> {
  await print.note(why);
  if (folder !== null) fs.rmSync(folder, { recursive: true, force: true });
  return null;
}

async function wantsAgain(print: Context['print']): Promise<boolean> {
  await print.stderr.write('Edit it again, or quit without saving? [e/q] ');
  const bytes = Buffer.alloc(1024);
  const count = fs.readSync(0, bytes);
  const answer = bytes.toString('utf8', 0, count).trim().toLowerCase();
  // At the end of the input nobody can answer any more.
  return count > 0 && (answer === '' || answer.startsWith('e'));
}

function textOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw new OutlastError('config_invalid', `cannot read ${file}: ${causeText(error)}; look at its owner and mode`);
  }
}
