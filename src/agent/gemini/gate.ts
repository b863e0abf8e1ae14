import type { LaunchFile } from '../../core/launch.ts';
import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asFields, asList, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { ACP_WRONG_ANSWERS } from '../seam/wrong-answers.ts';
import { geminiOpeners } from './gate-openers.ts';
import { geminiProbeAnswer } from './gate-probe.ts';

/** How Gemini CLI asks before a tool is used: in messages. Its hooks let calls through when they fail. */
export const geminiGate: ProtocolGate = {
  asks: 'protocol',
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  openers: geminiOpeners,
  wrongAnswers: ACP_WRONG_ANSWERS,
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => geminiProbeAnswer(calls, body),
  }),
};

/** A message has the calls that are over. One that was not allowed is missing, or has another status. */
function seenIn(message: Fields): SeenCall[] {
  return asList(message.toolCalls).flatMap((each): SeenCall[] => {
    const call = asFields(each);
    const id = asText(call?.id);
    if (call === null || id === null) return [];
    const time = Date.parse(asText(call.timestamp) ?? '');
    const atMs = Number.isNaN(time) ? null : time;
    return [{ call: id, tool: asText(call.name) ?? 'unknown', made: call.status === 'success', atMs }];
  });
}

/** The name of the policy of a run with a server, in its folder for files. */
const POLICY = 'policy.toml';

/**
 * No policy of the user, of the folder or of an extension is stronger than this one. Commands have a rule of their own
 * with a pattern that fits all of them: under a rule without one, `cat` and others that are taken for safe run unasked.
 */
const ASK_ALL = `[[rule]]
toolName = "run_shell_command"
argsPattern = "."
decision = "ask_user"
priority = 999

[[rule]]
toolName = "*"
decision = "ask_user"
priority = 998
`;

/** The policy of a run with a server. Without a gate it decides nothing. */
export function policyFiles(isGated: boolean): readonly LaunchFile[] {
  return [{ name: POLICY, text: isGated ? ASK_ALL : '# Decides nothing.\n' }];
}

/** The arguments of a run with a server. `folder`: of its files. The policy shows that the process is one of ours. */
export function policyWords(folder: string): readonly string[] {
  return ['--admin-policy', `${folder}/${POLICY}`];
}

/** The arguments of a gated run: no servers and no extensions. */
export const GATE_WORDS: readonly string[] = ['--allowed-mcp-server-names', 'none', '--extensions', 'none'];

/**
 * The variable of a gated run. A folder that is not trusted has no settings, hooks, servers, extensions, policies or
 * variables of its own.
 */
export const GATE_VARIABLES = { GEMINI_CLI_TRUST_WORKSPACE: 'false' } as const;
