#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed. CommonJS, because every start pays for
// the loader, and the one for modules takes some milliseconds longer.
const { enableCompileCache } = require('node:module');

const { XDG_CACHE_HOME, XDG_DATA_HOME, HOME } = process.env;
const cache = `${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast`;
const data = `${XDG_DATA_HOME || `${HOME}/.local/share`}/outlast`;
const [major, minor, patch] = process.versions.node.split('.').map(Number);
// The same as `engines` in package.json and isNodeSupported() in src/base/node-version.ts.
const atLeast = { 22: [22, 3], 24: [15, 0] }[major] ?? [major >= 26 ? 0 : 1e9, 0];
if (minor < atLeast[0] || (minor === atLeast[0] && patch < atLeast[1])) process.exit(withNewerNode());
// Compiled code is kept with our own things: the default is a folder in /tmp.
if (XDG_CACHE_HOME || HOME) enableCompileCache(`${cache}/compiled`);
require('../dist/cli.cjs');

/** Goes on with a Node that `npm start` or `service install` put aside for us, if there is one; else says what to do. */
function withNewerNode() {
  const inside = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const kept = [`${data}/node/bin/node`, `${cache}/node-24.21.0/${inside}`].find(require('node:fs').existsSync);
  if (kept !== undefined) {
    process.on('SIGINT', () => {}); // Ctrl-C is for the one we wait for.
    const { spawnSync } = require('node:child_process');
    return spawnSync(kept, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1;
  }
  const get = 'install Node 24 from https://nodejs.org or with your version manager (nvm install 24), and try again';
  process.stderr.write(
    `outlast: needs Node 22.22.3 or newer, or 24.15 or newer; this is ${process.versions.node}: ${get}\n`,
  );
  return 1;
}
