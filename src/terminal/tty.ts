import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { writeWhole } from '../base/files.ts';
import { LIMITS } from '../base/limits.ts';
import type { Launch } from '../core/launch.ts';
import type { Size } from '../core/session.ts';
import { writeLaunchFiles } from './launch-files.ts';
import { outputSize, readBytes } from './output.ts';
import { planText } from './plan.ts';
import { exitsFolder, type RunFolder, runFolder, runName } from './run-folder.ts';
import { plainStyled, type StyledScreen, type StyledWish } from './styled.ts';
import type { RunRef, Screen } from './terminal.ts';

// What a pty and a tmux pane have in common: a size, a screen, and an environment that describes them.

/** They describe the caller's terminal, not the new one; TMUX would even lead into the caller's own tmux. */
const NOT_OURS = new Set(
  'TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION STY WINDOW WINDOWID TERMCAP COLUMNS LINES'.split(' '),
);

/** How much output is drawn when the terminal cannot be asked any more and left no screen. */
const TAIL_BYTES = 1024 * 1024;

/** Writes the files that a run on a terminal starts from. `term` is the TERM of the command. */
export function prepareTty(
  state: string,
  ref: RunRef,
  launch: Launch,
  { size, term }: { size: Size; term: string },
): RunFolder {
  const files = runFolder(state, ref);
  mkdirSync(files.folder, { recursive: true, mode: 0o700 });
  mkdirSync(exitsFolder(state), { recursive: true, mode: 0o700 });
  writeLaunchFiles(files.files, launch);
  const env = Object.fromEntries(Object.entries(launch.env).filter(([name]) => !NOT_OURS.has(name)));
  writeWhole(files.plan, planText({ ...launch, env }, { name: runName(ref), add: { TERM: term } }));
  keepSize(files, size);
  return files;
}

/** Stores the requested size, for when the terminal cannot be asked any more. */
export function keepSize(files: RunFolder, size: Size): void {
  writeWhole(files.size, JSON.stringify(size));
}

/** The size that was last requested. */
export async function sizeOf(state: string, ref: RunRef): Promise<Size> {
  const size = await readJson<Size>(runFolder(state, ref).size);
  return size ?? { columns: LIMITS.columns, rows: LIMITS.rows };
}

/** A screen as stored in a file, or as a holder of an earlier version sends it. */
export type SavedScreen = Omit<Screen, 'title'> & Partial<Pick<Screen, 'title'>>;

/** Adds the title, which earlier versions did not store. How it looks is left out. */
export function withTitle({ rows, columns, cursor, title = null }: SavedScreen): Screen {
  return { rows, columns, cursor, title };
}

/** The screen of a terminal that is gone: the one it saved, or one drawn from the end of its output. */
export async function lastScreen(state: string, ref: RunRef): Promise<Screen> {
  const files = runFolder(state, ref);
  const saved = await readJson<SavedScreen>(files.screen);
  if (saved !== null) return withTitle(saved);
  const size = await sizeOf(state, ref);
  const { bytes } = await readBytes(files, Math.max(0, (await outputSize(files)) - TAIL_BYTES), TAIL_BYTES);
  // Imported on use: most daemons never draw a screen themselves, and the emulator is large.
  const { renderScreen } = await import('./screen.ts');
  return renderScreen(bytes, size, { convertEol: false });
}

/**
 * The styled screen of a terminal that is gone: the one it saved, or one drawn from the end of its output. A saved one
 * has no history.
 */
export async function lastStyled(state: string, ref: RunRef, wish: StyledWish): Promise<StyledScreen> {
  const files = runFolder(state, ref);
  const saved = await readJson<SavedScreen & Partial<StyledScreen>>(files.screen);
  if (saved !== null) return { ...plainStyled(withTitle(saved)), ...saved, title: saved.title ?? null, above: [] };
  const end = await outputSize(files);
  const { bytes } = await readBytes(files, Math.max(0, end - TAIL_BYTES), TAIL_BYTES);
  const { renderStyled } = await import('./screen.ts');
  const shown = await renderStyled(bytes, await sizeOf(state, ref), { convertEol: false, wish });
  return { ...shown, offset: end };
}

async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return null;
  }
}
