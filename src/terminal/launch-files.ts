import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { makeFolder, writeWhole } from '../base/files.ts';
import type { Launch, LaunchFile } from '../core/launch.ts';

/** One part of a path: a plain name, which may begin with a dot as names in a config home do. */
const PLAIN_NAME = /^(?!\.{1,2}$)[\w.-]+$/;

/** A path that stays within the folder it is relative to. */
const isWithin = (path: string): boolean => path.split('/').every((name) => PLAIN_NAME.test(name));

/**
 * Writes the files that a command reads when it starts, and their folders, readable by the user alone. Writing them
 * twice is harmless.
 */
export function writeLaunchFiles(folder: string, { files = [] }: Pick<Launch, 'files'>): void {
  const bad = files.find(({ name }) => !isWithin(name));
  if (bad !== undefined) {
    const why = `"${bad.name}" is not a path within the run's folder`;
    throw new OutlastError('input_invalid', `cannot write a launch file: ${why}`);
  }
  for (const file of files) {
    const path = join(folder, file.name);
    makeFolder(dirname(path));
    writeFile(path, file);
  }
}

function writeFile(path: string, file: LaunchFile): void {
  if ('text' in file) return writeWhole(path, file.text);
  if ('linkTo' in file) {
    if (file.makes === 'folder') mkdirSync(file.linkTo, { recursive: true, mode: 0o700 });
    rmSync(path, { force: true });
    return symlinkSync(file.linkTo, path);
  }
  try {
    writeWhole(path, readFileSync(file.copyOf, 'utf8'));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
