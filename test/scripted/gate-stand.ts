import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AnswerScene } from './gate-answers.ts';

/** What one headless run of an agent gave. */
export interface StandRun {
  readonly status: number | null;
  readonly output: string;
}

/** An agent whose hooks are tried, scripted or real. */
export interface Stand {
  /** It knows no onFailure, and asks no second question without a screen. */
  readonly isOld: boolean;
  readonly workspace: string;
  run(prompt: string, settings: string, mode: AnswerScene['mode'], isResumed?: boolean): Promise<StandRun>;
}

/** What is in the settings besides the hooks. */
export interface SettingsMore {
  readonly asked?: readonly string[];
  readonly disableAllHooks?: boolean;
  /** For the hooks. */
  readonly secondsMax?: number;
}

type Line = Readonly<Record<string, unknown>>;

const HOOK_SECONDS_MAX = 5;

/** Settings with a hook before each tool and one for the second question, which keep what they are told in `asked`. */
export function gateSettings(pre: string, confirm: string, given: SettingsMore = {}): string {
  const { asked, secondsMax = HOOK_SECONDS_MAX, ...more } = given;
  const rules = (body: string): object[] => {
    const command = `payload=$(cat); printf '%s\\n' "$payload" >>asked; ${body}`;
    return [{ hooks: [{ type: 'command', command, timeout: secondsMax, onFailure: 'block' }] }];
  };
  const hooks = { PreToolUse: rules(pre), PermissionRequest: rules(confirm), PostToolUse: rules(':') };
  return JSON.stringify({ ...more, ...(asked === undefined ? {} : { permissions: { ask: asked } }), hooks });
}

/** The payloads that the hooks were given, in their order. */
export function askedOf({ workspace }: Pick<Stand, 'workspace'>): Line[] {
  const path = join(workspace, 'asked');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** A prompt that carries its story. */
export function story(...steps: object[]): string {
  return `go SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

/** A command, as the model would call it. */
export function bash(command: string): { tool: string; input: { command: string; description: string } } {
  return { tool: 'Bash', input: { command, description: 'x' } };
}

/** What the tools gave, in the order of the stream. */
export function resultsIn(output: string): string[] {
  return linesIn(output).flatMap((line) =>
    blocksOf(line).flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : [])),
  );
}

/** The last line of a stream. */
export function resultLineIn(output: string): Line {
  return linesIn(output).findLast(({ type }) => type === 'result') ?? {};
}

/** Plays every case of a scene in one run, each as a call of its own, and compares what came of it. */
export async function playScene(stand: Stand, { mode, asked, cases }: AnswerScene): Promise<void> {
  const names = Object.keys(cases);
  const bodies = (part: 'pre' | 'confirm'): string =>
    // The name of a case stands at the end of its command.
    `case $payload in ${names.map((name) => `*'>${name}"'*) ${cases[name]?.[part] ?? ':'} ;;`).join(' ')} esac`;
  const settings = gateSettings(bodies('pre'), bodies('confirm'), asked === undefined ? {} : { asked });
  const steps = names.map((name) => bash(`echo x >${name}`));
  const { status, output } = await stand.run(story(...steps, { text: 'end' }), settings, mode);
  expect(status).toBe(0);
  const results = resultsIn(output);
  for (const [i, name] of names.entries()) {
    const { ran, says = /^(\(Bash completed with no output\))?$/, old } = cases[name] ?? { ran: false };
    const expected = stand.isOld && old !== undefined ? { says: /^(\(Bash.*\))?$/, ...old } : { ran, says };
    expect([name, existsSync(join(stand.workspace, name))]).toEqual([name, expected.ran]);
    expect([name, results[i]]).toEqual([name, expect.stringMatching(expected.says)]);
  }
}

function linesIn(output: string): Line[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
}

function blocksOf({ message }: Line): Line[] {
  const content = (message as Line | undefined)?.content;
  return Array.isArray(content) ? content : [];
}
