import { OutlastError } from '../../client/index.ts';
import { NEW_START } from '../../present/config-state.ts';
import type { Context } from '../base/command.ts';
import { type Changed, type Mistake, shownText, unlessAway } from './ask.ts';

/** A mistake as compilers print it, so that editors can go there. */
export function mistakeLine(file: string, { line, column, key, says }: Mistake): string {
  return `${file}:${line}:${column}: ${key === '' ? '' : `${key}: `}${says}`;
}

/** Tells the daemon that the file was changed, and returns what a person should know about that. */
export async function reloaded({ connect }: Pick<Context, 'connect'>, made: Changed): Promise<readonly string[]> {
  const outlast = connect({ start: false });
  try {
    const seen = await unlessAway(outlast.reloadConfig());
    if (seen === null) return ['No daemon is running; the next one reads it.'];
    if (seen.file !== made.file) return [`The daemon reads another file: ${seen.file}.`];
    return reloadLines(seen);
  } catch (error) {
    if (!(error instanceof OutlastError) || error.code !== 'config_invalid') throw error;
    return [`The daemon keeps its current settings: ${error.message}.`];
  }
}

/** What a reload has changed, and what it could not. */
export function reloadLines({
  changed,
  waiting,
}: {
  changed: readonly string[];
  waiting: readonly string[];
}): string[] {
  const now = changed.length === 0 ? [] : [`The daemon now uses: ${changed.join(', ')}.`];
  const later =
    waiting.length === 0 ? [] : [`Used when the daemon restarts: ${waiting.join(', ')}. To restart it: ${NEW_START}.`];
  const all = [...now, ...later];
  return all.length > 0 ? all : ['The daemon already uses these settings.'];
}

/** What was written, and what keeps it from being used. */
export function changeLines({ file, key = '', value, changed, variable, mistakes }: Changed): string[] {
  const what = value === null ? `${key} is no longer set` : `${key} = ${shownText(value)}`;
  return [
    changed ? `${what} (${file})` : `${file} has this value already`,
    ...(variable ? [`The variable ${variable} is set here, and overrides the file.`] : []),
    ...mistakes.map((mistake) => `Still invalid: ${mistakeLine(file, mistake)}`),
  ];
}
