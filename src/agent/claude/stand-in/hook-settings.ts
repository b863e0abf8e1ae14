import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from './args.ts';
import type { HookCommand } from './hook-run.ts';
import { type Fields, fieldsOf, listOf, numberOf, readJson, textOf } from './json.ts';

/** A hook and the tools it is for. */
export interface HookRule {
  readonly matcher: string;
  readonly hook: HookCommand;
}

/** The parsed settings. */
export interface Settings {
  readonly hooks: ReadonlyMap<string, readonly HookRule[]>;
  /** The tools that always require a question; `*`: all. */
  readonly asked: readonly string[];
}

const DEFAULT_MS = 600_000;
const PROMPT_MS = 30_000;
const END_MS = 3_000;

/** Parses `--settings`: a JSON text, or the path of a file with one. Null when it is neither. */
export function readSettings({ settings, sources }: Options, cwd: string): Settings | null {
  const given = settings ?? '{}';
  const text = given.trimStart().startsWith('{') ? given : read(given);
  const parsed = text === null ? null : readJson(text);
  if (parsed === null) return null;
  const fields = fieldsOf(parsed);
  // The folder's own settings count only where ours say nothing.
  const isOff = (fields.disableAllHooks ?? (sources.includes('project') && projectOf(cwd).disableAllHooks)) === true;
  const hooks = isOff ? [] : Object.entries(fieldsOf(fields.hooks));
  return {
    hooks: new Map(hooks.map(([event, groups]) => [event, rulesOf(event, groups)])),
    asked: listOf(fieldsOf(fields.permissions).ask).flatMap((name) => textOf(name) ?? []),
  };
}

/** True when a hook applies to a tool, or to whatever else its event is about. */
export function isFor({ matcher }: HookRule, subject: string): boolean {
  return matcher === '' || matcher === '*' || new RegExp(`^(${matcher})$`).test(subject);
}

function rulesOf(event: string, groups: unknown): HookRule[] {
  return listOf(groups).flatMap((value) => {
    const group = fieldsOf(value);
    const matcher = textOf(group.matcher) ?? '';
    return listOf(group.hooks).flatMap((hook) => {
      const command = commandOf(event, fieldsOf(hook));
      return command === null ? [] : [{ matcher, hook: command }];
    });
  });
}

function commandOf(event: string, hook: Fields): HookCommand | null {
  const command = textOf(hook.command);
  if (hook.type !== 'command' || command === null) return null;
  const seconds = numberOf(hook.timeout);
  return {
    command,
    timeoutMs: seconds === null ? defaultMs(event) : seconds * 1000,
    onFailure: textOf(hook.onFailure),
  };
}

function defaultMs(event: string): number {
  if (event === 'SessionEnd') return END_MS;
  return event === 'UserPromptSubmit' ? PROMPT_MS : DEFAULT_MS;
}

function projectOf(cwd: string): Fields {
  return fieldsOf(readJson(read(join(cwd, '.claude/settings.json')) ?? '{}'));
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
