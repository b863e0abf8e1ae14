import { realWorld, run } from './run.ts';

// Everything is written when `run` is done; leaving at once spares the time of an orderly end.
run(process.argv.slice(2), realWorld()).then((status) => process.exit(status));
