import type { KnownAgent } from '../../agent/known.ts';
import { readIfThere } from '../../terminal/small-file.ts';

/** Why sessions of this agent are refused: some lose work with settings that only their user may change. */
export function settingsRefusals({ program }: KnownAgent, env: Readonly<Record<string, string>>): readonly string[] {
  return program.settingsRefusals?.(env, (path) => readIfThere(path)?.toString() ?? null) ?? [];
}
