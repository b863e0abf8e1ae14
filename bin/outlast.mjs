#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 21)) {
  process.stderr.write(`outlast needs Node >= 24.21, this is ${process.versions.node}. Get it with: npm install -g node@24\n`);
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
enableCompileCache();
await import('../dist/cli.js');
