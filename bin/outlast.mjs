#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed.
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 21)) {
  const get = 'npm install -g node@24';
  process.stderr.write(`outlast needs Node >= 24.21, this is ${process.versions.node}. Get it with: ${get}\n`);
  process.exit(1);
}
const { XDG_CACHE_HOME, HOME } = process.env;
// Compiled code is kept with our own things: the default is a folder in /tmp.
if (XDG_CACHE_HOME || HOME) module.enableCompileCache(`${XDG_CACHE_HOME || `${HOME}/.cache`}/outlast/compiled`);
await import('../dist/cli.js');
