// The entry point of the daemon process. The daemon is a lot of code to compile, so the compile cache is kept for the
// next start, beside that of the command line.
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { realClock } from '../../base/clock.ts';
import { isNodeSupported, NODE_NEEDED } from '../../base/node-version.ts';

/** By then most of the code of a start is compiled. A daemon that is killed later has saved its cache. */
const KEEP_MS = 3_000;

if (!isNodeSupported(process.version)) {
  process.stderr.write(`outlast: the daemon needs ${NODE_NEEDED}; ${process.execPath} is ${process.version}\n`);
  process.exit(2);
}
// On Node 22, SQLite warns that it is experimental: callers would take that for a complaint of the daemon.
const { emitWarning } = process;
process.emitWarning = (warning: string | Error, ...rest: never[]): void => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
};

const { XDG_CACHE_HOME, HOME } = process.env;
// Only below an existing folder: where none can be created, as below /proc, Node would retry for ever.
if (existsSync(XDG_CACHE_HOME || HOME || '')) {
  enableCompileCache(`${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast/compiled`);
  void realClock()
    .sleep(KEEP_MS)
    .then(() => flushCompileCache());
}
await import(new URL('./daemon-main.js', import.meta.url).href);
