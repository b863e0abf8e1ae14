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
runCompiled(require('node:path').join(__dirname, '../dist'), `${cache}/compiled`);

/**
 * Runs the command line from its compiled code. Node's compile cache has no function that is compiled when it is first
 * called, which is most of them; compiling those takes a tenth of a short command. So the code is kept when a command
 * has ended, with the functions that it called: for each command, each Node and each build. V8 refuses what is not its.
 */
function runCompiled(dist, folder) {
  const fs = require('node:fs');
  const { Script } = require('node:vm');
  const file = `${dist}/cli.cjs`;
  // The build writes its hash into the first line, and only ASCII.
  const source = fs.readFileSync(file, 'latin1');
  const [word] = /^[a-z]{2,12}$/.exec(process.argv[2]) || ['other'];
  const build = `cli-${source.slice(3, 19)}-`;
  const kept = `${folder}/${build}${process.version}-${process.arch}-${word}`;
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  const isKept = (XDG_CACHE_HOME || HOME) && !NODE_DISABLE_COMPILE_CACHE && !NODE_V8_COVERAGE;
  const cachedData = isKept ? readKept(fs, kept) : undefined;
  const parameters = 'require, __filename, __dirname, outlastImport';
  const script = new Script(`(function (${parameters}) {${source}\n})`, { filename: file, cachedData });
  if (isKept && script.cachedDataRejected !== false)
    process.once('exit', (status) => status === 0 && keep(fs, folder, kept, build, script.createCachedData()));
  // A script has no import() of its own that is not experimental.
  script.runInThisContext()(require, file, dist, (path) => import(path));
}

function readKept(fs, kept) {
  try {
    return fs.readFileSync(kept);
  } catch {
    return undefined; // Not there yet.
  }
}

const UNUSED_MS = 7 * 86_400_000;

/** On the disk before it has its name: half of it would be run as if it were all. What older builds kept goes. */
function keep(fs, folder, kept, build, code) {
  try {
    // Node has made the folder. If it is gone, `outlast uninstall` removed it.
    const others = fs.readdirSync(folder).filter((name) => name.startsWith('cli-') && !name.startsWith(build));
    for (const path of others.map((name) => `${folder}/${name}`))
      if (fs.statSync(path).mtimeMs < Date.now() - UNUSED_MS) fs.rmSync(path, { force: true });
    const fresh = `${kept}.${process.pid}`;
    const handle = fs.openSync(fresh, 'wx', 0o600);
    fs.writeSync(handle, code);
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    fs.renameSync(fresh, kept);
  } catch {
    // A folder that is full or cannot be written costs only time.
  }
}

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
