import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentNames, agentVariables } from '../../scripts/agent-variables.ts';
import { filesBelow, ROOT } from './tree.ts';

// No code outside an agent's own folder names a tool, a hook, a mode, a variable or a file of that agent. It uses the
// seam (src/agent/seam) instead.

const WORDS: Readonly<Record<string, RegExp>> = {
  'tools of Claude Code': words(
    'Bash BashOutput KillShell NotebookEdit NotebookRead MultiEdit WebFetch WebSearch TodoWrite AskUserQuestion',
    'ExitPlanMode',
  ),
  // These are also ordinary words, so only string literals count.
  'names of tools': /'(?:Read|Edit|Write|Grep|Glob|LS|Task|Agent|Skill)'/,
  'tools of other agents': words('apply_patch exec_command local_shell update_plan view_image run_shell_command'),
  'parameters of tools': words(
    'file_path notebook_path old_string new_string replace_all tool_input tool_name subagent_type',
    'dangerouslyDisableSandbox',
  ),
  'tools of MCP servers': /\bmcp__/,
  hooks: words(
    'PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart SessionEnd SubagentStart SubagentStop',
    'PreCompact hookSpecificOutput',
  ),
  modes: words('bypassPermissions acceptEdits dontAsk permissionMode permission_mode danger-full-access'),
  flags: /--(?:permission-mode|dangerously-\w|output-format|setting-sources|fork-session)|\bstream-json\b/,
  'models and levels': words('opus sonnet haiku xhigh ultrathink'),
  variables:
    /\b(?:CLAUDE|ANTHROPIC|CODEX|OPENAI|GEMINI|OPENCODE|OPENCLAW|CLAWDBOT)_[A-Z]|\bCLAUDECODE\b|\bIS_SANDBOX\b/,
  files: /(?<![\w$])\.(?:claude|codex|gemini|opencode|openclaw)\b|\bprojects\/|\brollout-/,
};

/** The folders that may use an agent's own words: its adapter, and the programs that stand in for it or serve it. */
const AGENT_PLACES = /^src\/(?:agent|testing)\//;

/** Other files that may use such words, which words, and why. */
const EXCEPTIONS: readonly (readonly [file: string, words: keyof typeof WORDS | '*', why: string])[] = [
  ['src/core/rules/grammar.ts', '*', 'the words in which people write rules'],
  ['src/compat/variables.ts', 'variables', 'variables of the systems that people come from'],
  ['src/api/agent-variables.ts', 'variables', 'generated from the adapters, for clients'],
  ['src/api/agent-names.ts', '*', 'generated from the adapters, for completion'],
  ['src/cli/commands/approve.ts', 'tools of Claude Code', 'an example in its help'],
  ['src/cli/commands/audit.ts', 'tools of Claude Code', 'an example in its help'],
  ['src/cli/commands/rules.ts', '*', 'examples in its help'],
  ['src/cli/commands/run.ts', 'models and levels', 'an example in its help'],
  ['src/cli/commands/start.ts', 'models and levels', 'an example in its help'],
  ['src/cli/input/agent-options.ts', 'models and levels', 'an example in the help of a flag'],
  ['src/cli/uninstall/agents.ts', '*', 'what people installed into agents is found in their folders'],
  ['src/cli/commands/tmux.ts', 'variables', 'an example in its help'],
  ['src/page/words/strings.ts', 'names of tools', 'a button'],
  ['src/page/words/place-strings.ts', 'names of tools', 'labels'],
  ['src/page/words/record-strings.ts', 'names of tools', 'a button'],
];

function words(...lists: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${lists.join(' ').replaceAll(' ', '|')})\\b`);
}

const found = filesBelow('src', '.ts', '.sh')
  .filter(({ path }) => !path.endsWith('.test.ts') && !AGENT_PLACES.test(path))
  .flatMap(({ path, text }) =>
    Object.entries(WORDS).flatMap(([kind, words]) =>
      text.split('\n').flatMap((line, i) => (words.test(line) ? [{ path, kind, line, at: `${path}:${i + 1}` }] : [])),
    ),
  );

const isExcepted = ({ path, kind }: { path: string; kind: string }): boolean =>
  EXCEPTIONS.some(([file, words]) => file === path && (words === '*' || words === kind));

test('only the adapter of an agent uses the words of that agent', () => {
  const wrong = found.filter((each) => !isExcepted(each));
  expect(wrong.map(({ at, kind, line }) => `${at} has ${kind}: ${line.trim()}`)).toEqual([]);
});

test('every exception is still needed', () => {
  const idle = EXCEPTIONS.filter(([file, words]) =>
    found.every(({ path, kind }) => path !== file || (words !== '*' && words !== kind)),
  );
  expect(idle).toEqual([]);
});

test('the command line uses such words only in examples', () => {
  const examples = found.filter(({ path }) => path.startsWith('src/cli/') && path !== 'src/cli/uninstall/agents.ts');
  expect(examples.filter(({ line }) => !/outlast |such as/.test(line)).map(({ at }) => at)).toEqual([]);
});

test('the files of src/api that scripts/agent-variables.ts writes are what it writes', () => {
  expect(readFileSync(join(ROOT, 'src/api/agent-variables.ts'), 'utf8')).toBe(agentVariables());
  expect(readFileSync(join(ROOT, 'src/api/agent-names.ts'), 'utf8')).toBe(agentNames());
});
