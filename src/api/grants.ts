/** What a connection of another program, or a device of the web page, may be allowed to do. */
export const GRANTS = {
  read: 'Read sessions, turns, events and output, and wait for them.',
  prompt: 'Start agent sessions, prompt them, and stop them.',
  exec: 'Run commands, write to them, and end them.',
  approve: 'Decide pending approvals.',
  admin: "Trust a workspace, type into an agent's terminal, take a session from a person.",
} as const;

export type Grant = keyof typeof GRANTS;

/** The default grants of a program: deciding for a person is not among them. */
export const USUAL: readonly Grant[] = ['read', 'prompt', 'exec'];

/** Parses a list like `read,prompt`; returns what is wrong with it if it is invalid. */
export function parseGrants(words: string | undefined, usual: readonly Grant[] = USUAL): ReadonlySet<Grant> | string {
  const given = words?.split(',').map((word) => word.trim()) ?? usual;
  const wrong = given.find((word) => !Object.hasOwn(GRANTS, word));
  const known = Object.keys(GRANTS).join(', ');
  if (wrong !== undefined) return `--allow: "${wrong}" is not a grant; choose from ${known}`;
  return new Set(given as Grant[]);
}
