import { fs, path } from '../../client/node.ts';

const LASTS_MS = 60_000;

/**
 * Opens the browser of this machine, if there is one. The arguments of a process can be read by others, so the browser
 * is given a file that only we can read and that leads to the link; it is deleted when the link has expired.
 */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal): void {
  const program = opener(env);
  if (program === null) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { tmpdir } = process.getBuiltinModule('node:os');
  const folder = fs.mkdtempSync(path.join(env.XDG_RUNTIME_DIR ?? tmpdir(), 'outlast-web-'));
  const remove = (): void => fs.rmSync(folder, { recursive: true, force: true });
  const file = path.join(folder, 'open.html');
  fs.writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, { mode: 0o600 });
  AbortSignal.any([signal, AbortSignal.timeout(LASTS_MS)]).addEventListener('abort', remove, { once: true });
  process.once('exit', remove);
  // Where it does not work, the link is on the screen.
  spawn(program, [file], { stdio: 'ignore', detached: true }).on('error', remove).unref();
}

function opener(env: Readonly<Record<string, string | undefined>>): string | null {
  if (process.platform === 'darwin') return 'open';
  return (env.DISPLAY ?? '') === '' && (env.WAYLAND_DISPLAY ?? '') === '' ? null : 'xdg-open';
}
