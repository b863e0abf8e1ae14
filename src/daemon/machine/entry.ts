// What is started as the daemon. The daemon itself is much to compile, so what was compiled is kept for the next start,
// where the command line keeps its own.
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { realClock } from '../../base/clock.ts';

/** When most of what a daemon does at its start is compiled. One that is killed later has kept it. */
const KEEP_MS = 3_000;

const { XDG_CACHE_HOME, HOME } = process.env;
// Only below a folder that is there: where none can be made, as below /proc, Node would try forever.
if (existsSync(XDG_CACHE_HOME || HOME || '')) {
  enableCompileCache(`${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast/compiled`);
  void realClock()
    .sleep(KEEP_MS)
    .then(() => flushCompileCache());
}
await import(new URL('./daemon-main.js', import.meta.url).href);
