import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';

/** The folder where Copilot keeps its files. */
export function copilotHome(env: Readonly<Record<string, string>>): string {
  return (env.COPILOT_HOME || `${env.HOME ?? ''}/.copilot`).replace(/\/+$/, '');
}

/** The file with the events of a conversation. */
export function eventsFile(home: string, id: string): string {
  return `${home}/session-state/${id}/events.jsonl`;
}

/** Where Copilot records a conversation: in a folder that is named after it. */
export function copilotSources(files: RecordFiles, env: LazyEnv, { id }: WhichConversation): RecordSources {
  const path = id === null ? null : eventsFile(copilotHome(env()), id);
  return {
    main: path === null || !files.isThere(path) ? null : { is: 'file', path },
    // What sub-agents do is in the same file.
    sides: () => [],
    place: () => path,
  };
}
