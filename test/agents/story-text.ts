import { readdirSync, readFileSync } from 'node:fs';

/** A prompt with the steps that the scripted model plays. */
export function script(...steps: readonly object[]): string {
  return `go SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

/** A prompt whose command runs until a file appears; then the model says the text. */
export function untilFile(path: string, text: string): string {
  const command = `echo here; until [ -e '${path}' ]; do sleep 0.02; done`;
  return script({ tool: 'Bash', input: { command, description: 'waits' } }, { text });
}

/** A word that occurs nowhere else on this machine. */
export function uniqueWord(): string {
  return `w${Math.floor(Math.random() * 2 ** 52).toString(36)}`;
}

/** The command lines that contain a text, except those of the given processes. */
export function argvWith(text: string, ...besides: readonly number[]): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || besides.includes(Number(pid))) return [];
    const words = argvOf(pid);
    return words.includes(text) ? [words.replaceAll('\0', ' ')] : [];
  });
}

function argvOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
