// Deliberate mistakes about folders that are gone.
import type { Mutation } from './mutations.ts';

export const FOLDER_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a run is started in a folder that is gone',
    story: 'turnsFolderBack',
    file: 'src/core/next-missing.ts',
    from: "if (s.spec.drive === 'command' || workspaceGone !== true) return null;",
    to: "if (s.spec.drive !== 'live' || workspaceGone !== true) return null;",
  },
  {
    mistake: 'a live agent is started in a folder that is gone',
    story: 'liveFolderBack',
    file: 'src/core/next-missing.ts',
    from: "if (s.spec.drive === 'command' || workspaceGone !== true) return null;",
    to: "if (s.spec.drive !== 'turns' || workspaceGone !== true) return null;",
  },
  {
    mistake: 'a session that is held because its folder is gone is looked at',
    story: 'liveFolderGone',
    file: 'src/core/fold-release.ts',
    from: 'IN_USE, WORKSPACE, UNFOUND, ',
    to: 'IN_USE, UNFOUND, ',
  },
];
