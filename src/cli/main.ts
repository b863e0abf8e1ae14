import { realWorld, run } from './run.ts';

// Everything is written when `run` is done; exiting at once saves the time of an orderly shutdown.
run(process.argv.slice(2), realWorld()).then((status) => process.exit(status));
