import { readFileSync } from 'node:fs';
import type { HookCommand } from './hook-run.ts';
import { type Fields, fieldsOf, listOf, numberOf, readJson, textOf } from './json.ts';

/** A hook and the tools it is for. */
export interface HookRule {
  readonly matcher: string;
  readonly hook: HookCommand;
}

const DEFAULT_MS = 600_000;
const PROMPT_MS = 30_000;
const END_MS = 3_000;

/** Reads the hooks from `--settings`: a JSON text, or the path of a file with one. Null when it is neither. */
export function readHookSettings(settings: string | null): ReadonlyMap<string, readonly HookRule[]> | null {
  if (settings === null) return new Map();
  const text = settings.trimStart().startsWith('{') ? settings : read(settings);
  const parsed = text === null ? null : readJson(text);
  if (parsed === null) return null;
  const hooks = fieldsOf(fieldsOf(parsed).hooks);
  return new Map(Object.entries(hooks).map(([event, groups]) => [event, rulesOf(event, groups)]));
}

/** Tells whether a hook is for a tool, or for whatever else its event is about. */
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

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
