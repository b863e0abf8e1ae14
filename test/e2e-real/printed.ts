/** A line that Claude Code printed about one turn (`stream-json`). */
export interface Line {
  readonly type?: string;
  readonly subtype?: string;
  readonly message?: { readonly content?: unknown };
  readonly [key: string]: unknown;
}

interface Block {
  readonly type?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** The JSON lines of its output. */
export function linesOf(output: string): Line[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The results of its tool calls, oldest first. */
export function toolResults(lines: readonly Line[]): string[] {
  const contents = lines.map(({ message }) => message?.content);
  const blocks = contents.flatMap((content) => (Array.isArray(content) ? (content as Block[]) : []));
  return blocks.filter(({ type }) => type === 'tool_result').map(({ content = '' }) => textOf(content));
}

function textOf(content: Exclude<Block['content'], undefined>): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}
