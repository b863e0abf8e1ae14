import { asFields, readObject } from '../seam/json.ts';

/** The folder where Gemini CLI keeps its files. */
export function geminiHome(env: Readonly<Record<string, string>>): string {
  return `${env.GEMINI_CLI_HOME || env.HOME || ''}/.gemini`;
}

const HELP = 'set "general": { "sessionRetention": { "enabled": false } } there';

/**
 * Gemini CLI deletes conversations that are resumed, unless its retention is switched off in the settings of the user:
 * those of a folder do not count. It is on by default, and also where the settings cannot be read.
 */
export function retentionRefusals(
  env: Readonly<Record<string, string>>,
  text: (path: string) => string | null,
): readonly string[] {
  const path = `${geminiHome(env)}/settings.json`;
  const settings = readObject(withoutComments(text(path) ?? ''));
  const retention = asFields(asFields(settings?.general)?.sessionRetention);
  if (retention?.enabled === false) return [];
  return [`Gemini CLI would delete conversations that Outlast resumes, as ${path} does not disable that; ${HELP}`];
}

/** The settings may have comments. A text in quotes is left as it is. */
function withoutComments(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? '');
}
