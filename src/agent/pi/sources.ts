import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';

/** The folder where pi keeps its files. */
export function piHome(env: Readonly<Record<string, string>>): string {
  return (env.PI_CODING_AGENT_DIR || `${env.HOME ?? ''}/.pi/agent`).replace(/\/+$/, '');
}

/** The folders below which pi stores conversations: those of each workspace, and the one that a user chose for all. */
export function sessionHomes(env: Readonly<Record<string, string>>): string[] {
  const chosen = (env.PI_CODING_AGENT_SESSION_DIR ?? '').replace(/\/+$/, '');
  return [piHome(env), ...(chosen === '' ? [] : [chosen])];
}

/** The folder for the conversations of a workspace, named as pi does it. */
export function sessionFolder(env: Readonly<Record<string, string>>, workspace: string): string {
  return env.PI_CODING_AGENT_SESSION_DIR || `${piHome(env)}/sessions/${folderName(workspace)}`;
}

/** The name of that folder: different paths may get the same one. */
export function folderName(workspace: string): string {
  return `--${workspace.replace(/^\//, '').replaceAll(/[/\\:]/g, '-')}--`;
}

/** Where pi records a conversation: in a file that is named after its start and its id, by workspace. */
export function piSources(files: RecordFiles, env: LazyEnv, { id, reported }: WhichConversation): RecordSources {
  const path = reported !== null && files.isThere(reported) ? reported : id === null ? null : found(files, env, id);
  return {
    main: path === null ? null : { is: 'file', path },
    sides: () => [],
    place: () => reported ?? (id === null ? null : `${placesOf(env())}/*_${id}.jsonl`),
  };
}

function placesOf(env: Readonly<Record<string, string>>): string {
  return env.PI_CODING_AGENT_SESSION_DIR || `${piHome(env)}/sessions/*`;
}

function found(files: RecordFiles, env: LazyEnv, id: string): string | null {
  const own = env().PI_CODING_AGENT_SESSION_DIR;
  const sessions = `${piHome(env())}/sessions`;
  const folders = own ? [own] : files.names(sessions).map((name) => `${sessions}/${name}`);
  const paths = folders.flatMap((folder) =>
    files.names(folder).flatMap((name) => (name.endsWith(`_${id}.jsonl`) ? `${folder}/${name}` : [])),
  );
  return paths.find(files.isThere) ?? null;
}
