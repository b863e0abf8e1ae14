import type { AcpTool } from '../acp/dialect.ts';
import { asFields, asList, asText, type Fields } from '../seam/json.ts';

/**
 * The tool and what is known of its input, from a message of the server. A message has neither the name nor the input:
 * the name is the beginning of the id of the call, and only some inputs are shown in full.
 */
export function geminiTool(call: Fields): AcpTool {
  const [, name = asText(call.kind) ?? 'unknown'] = /^(.+?)__/s.exec(asText(call.toolCallId) ?? '') ?? [];
  return { name, input: inputOf(name, call) };
}

function inputOf(name: string, call: Fields): Fields {
  const { kind, title = null } = call;
  const contents = asList(call.content).map((each) => asFields(each) ?? {});
  const about = contents.flatMap(({ content }) => asText(asFields(content)?.text) ?? []).join('\n');
  const [path = null] = asList(call.locations).map((each) => asText(asFields(each)?.path));
  const diff = contents.find(({ type }) => type === 'diff');
  if (name === 'run_shell_command' && kind === 'execute')
    return { command: title, ...(IN_WORKSPACE.test(about) ? {} : { elsewhere: about }) };
  if (name === 'read_file' && kind === 'read') return { file_path: path };
  if ((name === 'write_file' || name === 'replace') && kind === 'edit')
    return { file_path: asText(diff?.path), old_text: diff?.oldText ?? null, new_text: diff?.newText ?? null };
  return { title, ...(path === null ? {} : { path }), ...(about === '' ? {} : { about }) };
}

/** What is said of a command without a folder of its own. */
const IN_WORKSPACE = /^(\[current working directory |$)/;
