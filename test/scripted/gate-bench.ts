import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AnswerScene } from './gate-answers.ts';

/** The result of one headless run of an agent. */
export interface BenchRun {
  readonly status: number | null;
  readonly output: string;
}

/** An agent whose hooks are tested, scripted or real. */
export interface AgentBench {
  /** This version has no onFailure, and asks no second question without a screen. */
  readonly isOld: boolean;
  readonly workspace: string;
  run(prompt: string, settings: string, mode: AnswerScene['mode'], isResumed?: boolean): Promise<BenchRun>;
}

/** Settings besides the hooks. */
export interface SettingsMore {
  readonly asked?: readonly string[];
  readonly disableAllHooks?: boolean;
  /** The timeout of each hook. */
  readonly secondsMax?: number;
}

type Line = Readonly<Record<string, unknown>>;

const HOOK_SECONDS_MAX = 5;

/** Settings with a hook before each tool and one for the second question. Both append their payloads to `asked`. */
export function gateSettings(pre: string, confirm: string, given: SettingsMore = {}): string {
  const { asked, secondsMax = HOOK_SECONDS_MAX, ...more } = given;
  const rules = (body: string): object[] => {
    const command = `payload=$(cat); printf '%s\\n' "$payload" >>asked; ${body}`;
    return [{ hooks: [{ type: 'command', command, timeout: secondsMax, onFailure: 'block' }] }];
  };
  const hooks = { PreToolUse: rules(pre), PermissionRequest: rules(confirm), PostToolUse: rules(':') };
  return JSON.stringify({ ...more, ...(asked === undefined ? {} : { permissions: { ask: asked } }), hooks });
}

/** The payloads of the hooks, in order. */
export function askedOf({ workspace }: Pick<AgentBench, 'workspace'>): Line[] {
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

/** The tool results, in the order of the stream. */
export function resultsIn(output: string): string[] {
  return linesIn(output).flatMap((line) =>
    blocksOf(line).flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : [])),
  );
}

/** The result line at the end of a stream. */
export function resultLineIn(output: string): Line {
  return linesIn(output).findLast(({ type }) => type === 'result') ?? {};
}

/** Plays every case of a scene in one run, each as a separate call, and checks the results. */
export async function playScene(bench: AgentBench, { mode, asked, cases }: AnswerScene): Promise<void> {
  const names = Object.keys(cases);
  const bodies = (part: 'pre' | 'confirm'): string =>
    // The name of a case is at the end of its command.
    `case $payload in ${names.map((name) => `*'>${name}"'*) ${cases[name]?.[part] ?? ':'} ;;`).join(' ')} esac`;
  const settings = gateSettings(bodies('pre'), bodies('confirm'), asked === undefined ? {} : { asked });
  const steps = names.map((name) => bash(`echo x >${name}`));
  const { status, output } = await bench.run(story(...steps, { text: 'end' }), settings, mode);
  expect(status).toBe(0);
  const results = resultsIn(output);
  for (const [i, name] of names.entries()) {
    const { ran, says = /^(\(Bash completed with no output\))?$/, old } = cases[name] ?? { ran: false };
    const expected = bench.isOld && old !== undefined ? { says: /^(\(Bash.*\))?$/, ...old } : { ran, says };
    expect([name, existsSync(join(bench.workspace, name))]).toEqual([name, expected.ran]);
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
