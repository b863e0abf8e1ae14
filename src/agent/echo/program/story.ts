/** One command in a prompt of echo. */
export type Step =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'use'; readonly tool: string; readonly input: Readonly<Record<string, string>> }
  /** Continues when the file exists. */
  | { readonly do: 'wait'; readonly path: string }
  | { readonly do: 'sleep'; readonly ms: number }
  /** Ends the turn: with a usage limit, or with an error text. */
  | { readonly do: 'limit'; readonly seconds: number }
  | { readonly do: 'fail'; readonly words: string }
  /** Ends the process: as if it was killed, or with a status. */
  | { readonly do: 'crash' }
  | { readonly do: 'exit'; readonly status: number }
  /** Does nothing more, and reads no input. */
  | { readonly do: 'hang' }
  /** Sends half of a message, and the rest when the file exists; without a file never. */
  | { readonly do: 'half'; readonly path: string | null }
  /** Asks a question that no client can answer. */
  | { readonly do: 'wonder'; readonly about: string }
  /** Answers a request that was never made. */
  | { readonly do: 'stray' }
  /** A reply with this many characters. */
  | { readonly do: 'big'; readonly chars: number };

/**
 * The commands in a prompt, one per line. A prompt that does not begin with a command is echoed as a whole: a prompt
 * that quotes another one must not run it. `before` is put before what is echoed.
 */
export function stepsOf(prompt: string, before = ''): readonly Step[] {
  const lines = prompt.split('\n').filter((line) => line.trim() !== '');
  const steps = lines.map(stepOf);
  if (steps[0] === null) return [{ do: 'say', text: before + prompt.trim() }];
  return steps.map((step, i) => step ?? { do: 'say', text: lines[i]?.trim() ?? '' });
}

/** Parses a line; null: it does not begin with a command. */
function stepOf(line: string): Step | null {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const make = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return make?.(rest) ?? null;
}

const WORDS: Readonly<Record<string, (rest: string) => Step>> = {
  say: (text) => ({ do: 'say', text }),
  run: (command) => ({ do: 'use', tool: 'shell', input: { command } }),
  read: (path) => ({ do: 'use', tool: 'read', input: { path } }),
  write: (rest) => {
    const [, path = '', text = ''] = /^(\S+)\s?(.*)$/s.exec(rest) ?? [];
    return { do: 'use', tool: 'write', input: { path, text } };
  },
  wait: (path) => ({ do: 'wait', path }),
  sleep: (seconds) => ({ do: 'sleep', ms: Number(seconds) * 1_000 }),
  limit: (seconds) => ({ do: 'limit', seconds: Number(seconds) }),
  fail: (words) => ({ do: 'fail', words }),
  crash: () => ({ do: 'crash' }),
  exit: (status) => ({ do: 'exit', status: Number(status) }),
  hang: () => ({ do: 'hang' }),
  half: (path) => ({ do: 'half', path: path === '' ? null : path }),
  wonder: (about) => ({ do: 'wonder', about }),
  stray: () => ({ do: 'stray' }),
  big: (chars) => ({ do: 'big', chars: Number(chars) }),
};
