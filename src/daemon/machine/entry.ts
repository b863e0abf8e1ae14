// The entry point of the daemon process. The daemon is a lot of code to compile, so the compile cache is kept for the
// next start, beside that of the command line.
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { realClock } from '../../base/clock.ts';

/** By then most of the code of a start is compiled. A daemon that is killed later has saved its cache. */
const KEEP_MS = 3_000;

const { XDG_CACHE_HOME, HOME } = process.env;
// Only below an existing folder: where none can be created, as below /proc, Node would retry for ever.
if (existsSync(XDG_CACHE_HOME || HOME || '')) {
  enableCompileCache(`${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast/compiled`);
  void realClock()
    .sleep(KEEP_MS)
    .then(() => flushCompileCache());
}
await import(new URL('./daemon-main.js', import.meta.url).href);
