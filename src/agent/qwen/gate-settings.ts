import type { LaunchFile } from '../../core/launch.ts';

/** The tools of a gated run. Every one of them is asked about: Qwen Code itself asks about neither reads nor `cat`. */
const TOOLS = 'run_shell_command read_file glob grep_search list_directory write_file edit notebook_edit web_fetch';

/** Tools that Qwen Code has beside any list. */
const BESIDE =
  'skill tool_search tool_call list_agents send_message task_stop get_goal update_goal report_findings monitor ' +
  'zoom_image read_mcp_resource enter_worktree exit_worktree todo_write save_memory ask_user_question';

/** A sub-agent works in the background, where nobody is asked. */
const DENIED = 'agent task workflow';

const SETTINGS = {
  permissions: { ask: [...TOOLS.split(' '), ...BESIDE.split(' ')], deny: DENIED.split(' ') },
  // A folder that is not trusted has no settings, hooks, servers, extensions or variables of its own.
  security: { folderTrust: { enabled: true } },
  // A hook could answer for us.
  disableAllHooks: true,
  tools: { discoveryCommand: '', callCommand: '' },
} as const;

/** The names of the files of a gated run, in its folder for files. */
const NAMES = { settings: 'settings.json', folders: 'folders.json' } as const;

/**
 * The files of a gated run: settings of the system, which no settings of the user or of the folder overrule, and the
 * folders that are trusted, which are none. A rule that asks is stronger than any that allows.
 */
export const GATE_FILES: readonly LaunchFile[] = [
  { name: NAMES.settings, text: JSON.stringify(SETTINGS) },
  { name: NAMES.folders, text: JSON.stringify({ '/': 'DO_NOT_TRUST' }) },
];

/** The variables that name these files. */
export function gateVariables(folder: string): Readonly<Record<string, string>> {
  return {
    QWEN_CODE_SYSTEM_SETTINGS_PATH: `${folder}/${NAMES.settings}`,
    QWEN_CODE_TRUSTED_FOLDERS_PATH: `${folder}/${NAMES.folders}`,
  };
}

/** The arguments of a gated run: no other tools, no servers, no extensions. */
export const GATE_WORDS: readonly string[] = [
  ...TOOLS.split(' ').flatMap((tool) => ['--core-tools', tool]),
  ...['--allowed-mcp-server-names', 'none', '--extensions', 'none'],
];
