const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conversation that arguments name; null: a new one, or one that is named in another way or chosen later. */
export function namedConversation(argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => /^(--session-id|--resume|-r)(=|$)/.test(word));
  const word = argv[at] ?? '';
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (argv[at + 1] ?? '');
  return at >= 0 && ID.test(value) ? value : null;
}
