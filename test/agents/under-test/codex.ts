import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { CODEX_CASES } from '../../../src/testing/agents/codex.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import { RESPONSES_API } from '../../e2e-real/responses-api.ts';
import { script } from '../story-text.ts';
import type { AgentUnderTest, TurnStep, WrittenMessage } from './agent.ts';
import { codexRefusal } from './codex-refusals.ts';

const LACKS = {
  screen: 'it is driven by messages',
  'gate by hooks': 'it asks in messages: see test/e2e-real/codex-gate.test.ts',
  'copied transcripts': 'the rollout of a fork refers to that of its origin',
  prices: 'it counts tokens only',
  'second writers': 'its own lock refuses them',
  clear: 'only its screen has commands, and a person uses that',
  arguments: 'it takes settings only: see src/agent/codex/launch-args.test.ts',
  models: 'see src/agent/codex/program.test.ts and the model in test/e2e-real/codex.test.ts',
  settings: 'its folder is never trusted unless the caller says so: see test/e2e-real/codex-gate.test.ts',
  'updates in a turn': 'it runs no hooks of ours',
  'tools at once': 'see the turns of its cases in src/agent/codex/cases/rollout',
  subagents: 'see src/agent/codex/cases/server/subagent',
  refusals: 'its screen between two turns is not played yet',
  poisoned: 'it ends a call that was interrupted itself',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'its scripted stories take a second each, and one story starts it ten times',
  'enclosing variables': 'see src/agent/codex/launch.test.ts',
} as const;

const EXEC = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

/** Codex itself, with a scripted model on loopback. */
function codex(version: string, more: Pick<AgentUnderTest, 'quick'>): AgentUnderTest {
  return {
    ...more,
    title: `Codex ${version}`,
    name: 'codex',
    version,
    cases: CODEX_CASES,
    lacks: LACKS,
    stays: 'server',
    storyMsMax: 120_000,
    isHere: () => agentIsHere(version, 'codex'),
    install: (root, { model }) => {
      symlinkSync(agentProgram(version, 'codex'), join(root, 'bin/codex'));
      useModel(root, model ?? '');
    },
    environment: (root, model) => {
      useModel(root, model ?? '');
      return environment(root);
    },
    startModel: () => startModelServer(0, RESPONSES_API),
    setFaults: () => {},
    argv: (root) => [join(root, 'bin/codex')],
    turnByHand: ({ is, id }) => [...EXEC, ...(is === 'new' ? [] : ['resume', id]), '-'],
    printedId: (output) => /"thread_id":"([^"]+)"/.exec(output)?.[1] ?? null,
    refusal: codexRefusal,
    subscribed: (env) => env,
    modelPath: RESPONSES_API.path,
    model: 'gpt-5.5',
    prompt: (steps) => script(...steps.map((step, i) => stepOf(step, i === steps.length - 1 ? null : 1))),
    shell: 'shell',
    commands: [],
    screen: { busy: '', ready: '', quit: '', box: () => /$^/ },
    typed: (text) => text,
    files,
    thread: promptsIn,
    marks: {
      called: '"function_call"',
      returned: '"function_call_output"',
      ended: '"task_complete"',
      failed: '"codex_error_info"',
    },
    messages,
    received: (root, conversation) => files(root, conversation).flatMap(promptsIn),
    hasSaid: (root, text) =>
      files(root, null).some((path) => readFileSync(path, 'utf8').includes(`"text":${JSON.stringify(text)}`)),
  };
}

export const CODEX_0_166 = codex('0.166.0', { quick: [] });
export const CODEX_0_169 = codex('0.169.0', {});

/** Codex takes its model from its settings only. Nothing is retried, so that a failure is played once. */
function useModel(root: string, url: string): void {
  const settings = [
    'model = "gpt-5.5"',
    'model_provider = "scripted"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
  ];
  writeFileSync(join(root, 'config/config.toml'), `${settings.join('\n')}\n`);
}

function environment(root: string): Record<string, string> {
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CODEX_HOME: join(root, 'config'),
  };
}

function stepOf(step: TurnStep, times: number | null): object {
  if ('say' in step) {
    const { say, ...more } = step;
    return { text: say, ...more };
  }
  if ('together' in step) return { tools: step.together.map(shell) };
  if ('overloaded' in step) return { status: 503, times: step.overloaded };
  if ('pings' in step) return { hang: 'pings', times: step.pings };
  if ('until' in step) return shell(`echo here; until [ -e '${step.until}' ]; do sleep 0.02; done`);
  if ('run' in step) return { ...shell(step.run), ...(step.before === undefined ? {} : { say: step.before }) };
  if ('fail' in step) return { status: step.fail, ...(times === null ? {} : { times }) };
  return { hang: 'headers' };
}

/** The command is waited for as long as it takes. */
function shell(command: string): object {
  return { tool: 'exec_command', input: { cmd: command, yield_time_ms: 30_000 } };
}

function files(root: string, conversation: string | null): string[] {
  const folder = join(root, 'config/sessions');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const end = conversation === null ? '.jsonl' : `-${conversation}.jsonl`;
  return names.filter((name) => name.endsWith(end)).map((name) => join(folder, name));
}

interface Row {
  readonly type?: string;
  readonly payload?: {
    readonly type?: string;
    readonly response_id?: string;
    readonly usage?: { readonly total_tokens?: number };
    readonly item?: { readonly type?: string; readonly content?: readonly { readonly text?: string }[] };
  };
}

/** The prompts in a rollout, read without Outlast's own reader. */
function promptsIn(path: string): string[] {
  return rowsOf(path).flatMap(({ payload }) => {
    const item = payload?.type === 'item_completed' ? payload.item : undefined;
    return item?.type === 'UserMessage' ? [(item.content ?? []).map((each) => each.text ?? '').join('\n')] : [];
  });
}

function messages(path: string): WrittenMessage[] {
  return rowsOf(path).flatMap(({ type, payload }) => {
    if (type !== 'token_usage_record') return [];
    return [{ id: payload?.response_id ?? '', tokens: payload?.usage?.total_tokens ?? 0 }];
  });
}

function rowsOf(path: string): Row[] {
  const rows = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return rows.map((text) => JSON.parse(text) as Row);
}
