import { join } from 'node:path';
import { OutlastError } from '../base/errors.ts';
import { makeFolder, writeWhole } from '../base/files.ts';
import type { Launch } from '../core/launch.ts';

/** A name without a path, so that it stays within its folder. */
const PLAIN_NAME = /^[\w-][\w.-]*$/;

/** Writes the files that a command reads when it starts, readable by the user alone. Writing them twice is harmless. */
export function writeLaunchFiles(folder: string, { files = [] }: Pick<Launch, 'files'>): void {
  const bad = files.find(({ name }) => !PLAIN_NAME.test(name));
  if (bad !== undefined) {
    throw new OutlastError('input_invalid', `cannot write a launch file: "${bad.name}" is not a plain file name`);
  }
  if (files.length > 0) makeFolder(folder);
  for (const { name, text } of files) writeWhole(join(folder, name), text);
}
