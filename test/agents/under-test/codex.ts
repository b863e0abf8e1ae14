import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentIsHere, agentProgram } from '../../../scripts/agents.ts';
import { codexOpeners } from '../../../src/agent/codex/gate-openers.ts';
import { CODEX_CASES } from '../../../src/testing/agents/codex.ts';
import { startModelServer } from '../../e2e-real/model-server.ts';
import { RESPONSES_API } from '../../e2e-real/responses-api.ts';
import type { AgentUnderTest, WrittenMessage } from './agent.ts';
import { codexRefusal } from './codex-refusals.ts';
import { gateOpeners } from './gate-openers.ts';
import { scriptedPrompt } from './scripted-prompt.ts';

const LACKS = {
  compact: 'it compacts by itself: see test/e2e-real/codex.test.ts',
  'gate by hooks': 'it asks in messages',
  'copied transcripts': 'the rollout of a fork refers to that of its origin',
  prices: 'it counts tokens only',
  'second writers': 'its own lock refuses them',
  clear: 'only its screen has commands, and a person uses that',
  arguments: 'it takes settings only: see src/agent/codex/launch.test.ts',
  models: 'see test/e2e-real/codex.test.ts',
  settings: 'its folder is trusted only if the caller says so',
  'updates in a turn': 'it runs no hooks of ours',
  'tools at once': 'see the turns of its cases in src/agent/codex/cases/rollout',
  subagents: 'see src/agent/codex/cases/server/subagent',
  refusals: 'its screen between two turns is not played yet',
  poisoned: 'it ends a call that was interrupted itself',
  'faults on command': 'a real agent cannot be told to misbehave',
  'fast starts': 'its scripted stories take a second each, and one story starts it ten times',
  'enclosing variables': 'see src/agent/codex/launch.test.ts',
} as const;

/** What is not played in messages. */
const IN_MESSAGES = { screen: 'it is driven by messages' } as const;

/** What is not played on its screen. */
const ON_SCREEN = {
  limits: 'at a limit its screen offers another model, which a person answers',
  images: 'they travel with the start or in a message: see the same version without its screen',
  'flags on a screen': 'it chooses its own ids',
  'named transcripts': 'its rollout begins with its first prompt',
  turns: 'see the same version without its screen',
  server: 'see the same version without its screen',
  gate: 'its screen is not gated',
  steering: 'its screen holds a prompt until the next call, and an interrupt sends it',
} as const;

const EXEC = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

/** Codex itself, with a scripted model on loopback. */
function codex(version: string, more: Pick<AgentUnderTest, 'quick' | 'lacks'>): AgentUnderTest {
  return {
    ...more,
    title: `Codex ${version}`,
    name: 'codex',
    version,
    cases: CODEX_CASES,
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
    gateOpeners: gateOpeners(codexOpeners, environment, 'config/config.toml'),
    refusal: codexRefusal,
    subscribed: (env) => env,
    modelPath: RESPONSES_API.path,
    model: 'gpt-5.5',
    prompt: (steps) => scriptedPrompt(steps, { shell, overloaded: 503, tries: 1 }),
    shell: 'shell',
    commands: [],
    screen: {
      busy: 'esc to interrupt',
      ready: '›',
      quit: '/quit',
      asks: [{ shows: 'Use existing model', keys: '\x1b[B\r' }],
      box: (text) => new RegExp(`›\\s+${text}`),
    },
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

/** What every version must prove: a turn, a kill in each drive, a question. */
const OLDER_QUICK = [
  'run waits for the reply, prints only the reply, and ends the session',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'an agent killed in a call: one conversation, one reply, and nothing is done twice (live)',
  'files of the folder and of the user that would allow everything do not open the gate',
];

/** The newest version plays one story per behaviour, in one drive. */
const NEWEST_QUICK = [
  ...OLDER_QUICK,
  'a failure of the model fails the prompt with status 8, and the session stays usable',
  'start returns when the agent is ready, and a prompt arrives once and unchanged, as a server',
  'the model gets the images of a prompt, and the prompt is recognized (live)',
  'a prompt with --now is sent into the running turn, and the command says so, as a server',
  'an interrupted turn ends without a report of a hook, and the next prompt arrives alone, as a server',
  'a daemon killed in the middle of a turn continues it after the restart (live)',
  'a turn that ends while no daemon runs is answered once, by the next daemon (live)',
  'a fork has its own conversation, and the original does not change (live)',
  'an agent killed while a command runs is resumed, and its prompt names the command',
  'a weekly limit suspends the session and the account until it resets, and resume continues the prompt (live)',
  'a pending approval survives a killed daemon: nothing runs meanwhile, and the decision is carried out once',
  'an answer that somebody else gave is a breach, and ends the session',
  'the usage of a killed process is counted, and nothing of the conversation is counted twice',
];

/** The newest version on its screen plays one story on each terminal, and one kill. */
const SCREEN_QUICK = [
  'start returns when the agent is ready, and a prompt arrives once and unchanged',
  'an interrupted turn ends without a report of a hook, and the next prompt arrives alone, on a pty',
];

/** Prompts are typed on its screen. What both drives have in common is played in messages. */
function onScreen(agent: AgentUnderTest, quick: readonly string[]): AgentUnderTest {
  return {
    ...agent,
    title: `${agent.title} on its screen`,
    stays: 'live',
    quick,
    lacks: { ...LACKS, ...ON_SCREEN, 'kills at every moment': 'see the same version without its screen' },
    // What is pasted loses its control characters, and Codex cuts blanks at both ends.
    typed: (text) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\x1b', '').trim(),
  };
}

export const CODEX_0_166 = codex('0.166.0', {
  quick: OLDER_QUICK,
  lacks: { ...LACKS, ...IN_MESSAGES, 'kills at every moment': 'the newest version is' },
});
export const CODEX_0_169 = codex('0.169.0', { quick: NEWEST_QUICK, lacks: { ...LACKS, ...IN_MESSAGES } });
export const CODEX_0_166_SCREEN = onScreen(CODEX_0_166, []);
export const CODEX_0_169_SCREEN = onScreen(CODEX_0_169, SCREEN_QUICK);

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
    // Its screen would offer a newer model.
    '[notice.model_migrations]',
    '"gpt-5.5" = "gpt-6-sol"',
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
