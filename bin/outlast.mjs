#!/usr/bin/env node
// The command line. Says which Node it needs before anything newer is parsed.
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 21)) {
  const get = 'npm install -g node@24';
  process.stderr.write(`outlast needs Node >= 24.21, this is ${process.versions.node}. Get it with: ${get}\n`);
  process.exit(1);
}
module.enableCompileCache();
await import('../dist/cli.js');
