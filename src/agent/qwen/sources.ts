import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';

type Env = Readonly<Record<string, string>>;

/** The folder where Qwen Code keeps its settings and login. */
export function qwenHome(env: Env): string {
  return (env.QWEN_HOME || `${env.HOME ?? ''}/.qwen`).replace(/\/+$/, '');
}

/** The folder where it keeps its conversations. */
export function runtimeHome(env: Env): string {
  return (env.QWEN_RUNTIME_DIR || qwenHome(env)).replace(/\/+$/, '');
}

/** Where Qwen Code records a conversation: below its projects, in a file named after the id. */
export function qwenSources(files: RecordFiles, env: LazyEnv, { id }: WhichConversation): RecordSources {
  const found = (): string | null => {
    const projects = `${runtimeHome(env())}/projects`;
    const paths = files.names(projects).map((name) => `${projects}/${name}/chats/${id}.jsonl`);
    return paths.find(files.isThere) ?? null;
  };
  const path = id === null ? null : found();
  return {
    main: path === null ? null : { is: 'file', path },
    // What sub-agents use is in the results of their calls.
    sides: () => [],
    place: () => (id === null ? null : `${runtimeHome(env())}/projects/*/chats/${id}.jsonl`),
  };
}
