import type { LaunchFile } from '../../core/launch.ts';

/** Folders that a gated run shares with the user's own Codex: conversations, and the locks of their writers. */
const SHARED_FOLDERS = ['sessions', 'archived_sessions', 'thread-writer-locks', 'skills'];

/** Files that it shares: the login, which is refreshed in place, and the user's instructions. */
const SHARED_FILES = ['auth.json', 'AGENTS.md', 'AGENTS.override.md'];

/**
 * The files of a home for one run, with the login, conversations and settings of the user's home, but without its rules
 * and hooks: a command that a rule of the user allows is not asked about. Its databases are private: they name files by
 * the path of their home, which is gone after the run.
 */
export function privateHome(home: string): readonly LaunchFile[] {
  return [
    // Codex writes to its config, for example when a person trusts a folder.
    { name: 'config.toml', copyOf: `${home}/config.toml` },
    ...SHARED_FILES.map((name) => ({ name, linkTo: `${home}/${name}` })),
    ...SHARED_FOLDERS.map((name) => ({ name, linkTo: `${home}/${name}`, makes: 'folder' as const })),
  ];
}
