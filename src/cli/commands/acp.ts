import { beside } from '../base/beside.ts';
import { command, NO_WORDS, type Option, type Values } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { version } from '../base/version.ts';
import { AGENT_OPTIONS, agentInput } from '../input/agent-options.ts';
import { GATE_OPTIONS } from '../input/gate-options.ts';
import { POLICY_OPTIONS } from '../input/policy-options.ts';

/** The exports of the server program. It is a separate bundle, as that of MCP. */
interface Served {
  serveAcp(options: Readonly<Record<string, unknown>>): Promise<void>;
}

const { agent, live, model, thinking, 'agent-arg': agentArg, env, trust, worktree } = AGENT_OPTIONS;

/** The options of a start that an editor has its own way to say, or no use for. */
const UNSET = Object.fromEntries(
  Object.entries<Option>(AGENT_OPTIONS).map(([name, { type, multiple }]) => [
    name,
    type === 'boolean' ? false : multiple ? [] : undefined,
  ]),
) as unknown as Values<typeof AGENT_OPTIONS>;

/** `outlast acp` */
export const acp = command({
  name: 'acp',
  summary: 'Serve the Agent Client Protocol.',
  usage: 'acp [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'An editor drives a session as if it were an agent; docs/guides/editors.md has the settings to paste.',
      'Serves standard input and output until the editor disconnects; sessions keep running, and can be loaded again.',
      'Unless --watch or --no-gate is given, the editor is asked before every tool call except reads in its folder.',
    ].join('\n'),
  },
  options: {
    agent,
    session: {
      type: 'string',
      value: 'S',
      sentence: 'Open this session in the editor, instead of new ones.',
      completes: 'session',
    },
    ...{ live, model, thinking, 'agent-arg': agentArg, env, trust, worktree },
    ...GATE_OPTIONS,
    ...POLICY_OPTIONS,
  },
  examples: [
    ['outlast acp --agent codex', 'The command to put into the settings of an editor.'],
    ['outlast acp --session api', 'Continue a session in the editor.'],
  ],
  async run({ env: environment, values }) {
    const isGateChosen = values.gate || values['no-gate'] || values.watch !== undefined;
    if (values.session !== undefined && (values.agent !== undefined || isGateChosen))
      throw wrongCall('acp: --session opens a session as it is; --agent and the gate were chosen when it was started');
    const start = agentInput('acp', { ...UNSET, ...values }, environment);
    const { serveAcp } = (await import(beside(import.meta.dirname, 'acp.js', '../../acp/main.ts'))) as Served;
    await serveAcp({ env: environment, version: version(), start, isGateChosen, session: values.session });
    return EXIT.fine;
  },
});
