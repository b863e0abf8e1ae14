#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed.
import module from 'node:module';

const { XDG_CACHE_HOME, HOME } = process.env;
const cache = `${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast`;
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 21)) process.exit(await withNewerNode());
// Compiled code is kept with our own things: the default is a folder in /tmp.
if (XDG_CACHE_HOME || HOME) module.enableCompileCache(`${cache}/compiled`);
await import('../dist/cli.js');

/** Goes on with the Node that `npm start` and `npm test` fetch, if they have; else says where to get one. */
async function withNewerNode() {
  const { existsSync } = await import('node:fs');
  const fetched = `${cache}/node-24.21.0/node_modules/node-${process.platform}-${process.arch}/bin/node`;
  if (existsSync(fetched)) {
    const { spawnSync } = await import('node:child_process');
    process.on('SIGINT', () => {}); // Ctrl-C is for the one we wait for.
    return spawnSync(fetched, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1;
  }
  const get = 'npm install -g node@24';
  process.stderr.write(`outlast needs Node >= 24.21, this is ${process.versions.node}. Get it with: ${get}\n`);
  return 1;
}
