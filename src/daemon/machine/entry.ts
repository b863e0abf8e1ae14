// What is started as the daemon. The daemon itself is much to compile, so what was compiled is kept for the next start,
// where the command line keeps its own.
import { enableCompileCache } from 'node:module';

const { XDG_CACHE_HOME, HOME } = process.env;
if (XDG_CACHE_HOME || HOME) enableCompileCache(`${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast/compiled`);
await import(new URL('./daemon-main.js', import.meta.url).href);
