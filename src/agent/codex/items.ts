import { asFields, asNumber, asText, type Fields } from '../seam/json.ts';
import { unwrapped } from './command.ts';

/** A tool call in an item of the stream or of the server. */
export interface Tool {
  readonly name: string;
  readonly input: unknown;
  /** Why it failed; null: it did not, or it still runs. */
  readonly error: string | null;
}

/** The tool call in an item; null: it has none. The kinds have two spellings. */
export function toolOf(item: Fields): Tool | null {
  switch (item.type) {
    case 'command_execution':
    case 'commandExecution':
      return { name: 'shell', input: { command: unwrapped(asText(item.command) ?? '') }, error: commandError(item) };
    case 'file_change':
    case 'fileChange':
      return { name: 'apply_patch', input: { changes: item.changes }, error: failed(item) };
    case 'mcp_tool_call':
    case 'mcpToolCall': {
      const name = `mcp__${asText(item.server) ?? ''}__${asText(item.tool) ?? ''}`;
      return { name, input: item.arguments ?? null, error: asText(asFields(item.error)?.message) ?? failed(item) };
    }
    case 'web_search':
    case 'webSearch':
      return { name: 'web_search', input: { query: item.query }, error: null };
    default:
      return null;
  }
}

function commandError(item: Fields): string | null {
  const status = asNumber(item.exit_code) ?? asNumber(item.exitCode);
  return status === null || status === 0 ? failed(item) : `exit status ${status}`;
}

function failed({ status }: Fields): string | null {
  return status === 'failed' || status === 'declined' ? status : null;
}
