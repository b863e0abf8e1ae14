/** Values to be filled in, by their names. */
export type Variables = Readonly<Record<string, string>>;

const VARIABLE = /\\?\{\{\s*([A-Za-z0-9_-]+)\s*\}\}/g;
const REPLY = /\\?\{\{\s*([a-z0-9-]+)\.reply\s*\}\}/g;

/** Fills in `{{name}}`; `\{{name}}` stays, without its backslash. Returns the unknown names. */
export function fillVariables(text: string, variables: Variables, unknown: (name: string) => void): string {
  return text.replaceAll(VARIABLE, (all, name: string) => {
    if (all.startsWith('\\')) return all.slice(1);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) unknown(name);
    return value ?? all;
  });
}

/** The sessions whose replies a text quotes. */
export function quotedIn(text: string): string[] {
  const names = [...text.matchAll(REPLY)].flatMap(([all, name = '']) => (all.startsWith('\\') ? [] : [name]));
  return [...new Set(names)];
}

/** Fills in `{{name.reply}}`. A reply is not scanned for further variables. */
export function fillReplies(text: string, replyOf: (name: string) => string): string {
  return text.replaceAll(REPLY, (all, name: string) => (all.startsWith('\\') ? all.slice(1) : replyOf(name)));
}
