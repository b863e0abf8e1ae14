#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed. CommonJS, because every start pays for
// the loader, and the one for modules takes some milliseconds longer.
const { enableCompileCache } = require('node:module');

const { XDG_CACHE_HOME, HOME } = process.env;
const cache = `${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast`;
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 21)) process.exit(withNewerNode());
// Compiled code is kept with our own things: the default is a folder in /tmp.
if (XDG_CACHE_HOME || HOME) enableCompileCache(`${cache}/compiled`);
require('../dist/cli.cjs');

/** Goes on with the Node that `npm start` and `npm test` fetch, if they have; else says where to get one. */
function withNewerNode() {
  const fetched = `${cache}/node-24.21.0/node_modules/node-${process.platform}-${process.arch}/bin/node`;
  if (require('node:fs').existsSync(fetched)) {
    process.on('SIGINT', () => {}); // Ctrl-C is for the one we wait for.
    const { spawnSync } = require('node:child_process');
    return spawnSync(fetched, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1;
  }
  const get = 'npm install -g node@24';
  process.stderr.write(`outlast needs Node >= 24.21, this is ${process.versions.node}. Get it with: ${get}\n`);
  return 1;
}
