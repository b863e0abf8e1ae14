import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type Fields, textOf } from './json.ts';

/** The result of a tool: the text for the model, and the structure for hooks and the transcript. */
export interface ToolEnd {
  readonly ok: boolean;
  readonly text: string;
  readonly structured: unknown;
  /** Runs after the call has ended. */
  readonly after?: () => void;
}

/** Runs a file tool, or one that does nothing. Files outside the workspace are not touched. */
export function runFileTool(name: string, input: Fields, cwd: string): ToolEnd {
  if (!['Write', 'Edit', 'Read'].includes(name)) return { ok: true, text: 'ok', structured: 'ok' };
  const path = resolve(cwd, textOf(input.file_path) ?? '');
  if (relative(cwd, path).startsWith('..') || path === cwd) return failed(`${path} is not in the workspace ${cwd}.`);
  try {
    if (name === 'Write') return write(path, textOf(input.content) ?? '');
    if (!existsSync(path)) return failed('File does not exist.');
    return name === 'Read' ? read(path) : edit(path, textOf(input.old_string) ?? '', textOf(input.new_string) ?? '');
  } catch (error) {
    return failed(String(error));
  }
}

/** The result of a failed tool. */
export function failed(text: string): ToolEnd {
  return { ok: false, text, structured: `Error: ${text}` };
}

function write(path: string, content: string): ToolEnd {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const done = before === null ? 'File created successfully at' : 'The file has been updated successfully:';
  const type = before === null ? 'create' : 'update';
  const structured = { type, filePath: path, content, structuredPatch: [], originalFile: before, userModified: false };
  return { ok: true, text: `${done}: ${path}`, structured };
}

function read(path: string): ToolEnd {
  const content = readFileSync(path, 'utf8');
  const lines = content.split('\n');
  const file = { filePath: path, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
  const text = lines.map((line, i) => `${i + 1}\t${line}`).join('\n');
  return { ok: true, text, structured: { type: 'text', file } };
}

function edit(path: string, from: string, to: string): ToolEnd {
  const before = readFileSync(path, 'utf8');
  if (from === '' || !before.includes(from)) return failed('String to replace not found in file.');
  writeFileSync(
    path,
    before.replace(from, () => to),
  );
  const structured = { filePath: path, oldString: from, newString: to, originalFile: before, userModified: false };
  return { ok: true, text: `The file ${path} has been updated successfully.`, structured };
}
