// Prepares a fresh clone, then runs one of our TypeScript programs under the right Node.
// Plain JavaScript for any Node >= 18: it fetches the newer one.
//   node scripts/bootstrap.mjs scripts/test.ts [arguments]
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_VERSION = '24.21.0'; // What tests and scripts run on; the product needs less.
const OLDEST_NODE = '22.22.3'; // What the tests of the package use.
const cacheFolder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST_PACKAGES = {
  strace: 'some fault tests fail',
  zsh: 'a test fails',
  fish: 'a test fails',
  perl: 'a test fails',
  man: 'a test of the man pages fails',
  mandoc: 'a test of the man pages fails',
  bwrap: 'the test of the sandbox fails',
  'systemd-analyze': 'tests of the service fail',
  'dbus-monitor': 'tests of the service fail',
  'notify-send': 'a test of notices fails',
  'ncurses-term': 'a test of keys fails',
  promtool: 'tests of the metrics fail',
  'python3-prometheus-client': 'a test of the metrics fails',
  chromium: 'the tests of the web page fail',
  openssl: 'tests of the web page over TLS fail',
  ss: 'a test of the web page fails',
};
/** Packages that are not a program are installed when this file exists. */
const FILE_OF = {
  'ncurses-term': '/usr/share/terminfo/r/rxvt-256color',
  'python3-prometheus-client': '/usr/lib/python3/dist-packages/prometheus_client/openmetrics/parser.py',
};
/** Where a program is not in a package of its own name, or needs more packages. */
const PACKAGES_OF = {
  man: ['man-db'],
  'systemd-analyze': ['systemd', 'libpam-systemd', 'dbus'],
  'dbus-monitor': ['dbus'],
  'notify-send': ['libnotify-bin'],
  bwrap: ['bubblewrap'],
  promtool: ['prometheus'],
  ss: ['iproute2'],
};
const say = (line) => process.stderr.write(`outlast: ${line}\n`);

const isTest = process.argv[2] === 'scripts/test.ts';
// npm packs the package, or installs it from git: it has installed the dependencies, and nothing is fetched.
const isPrepare = process.env.npm_lifecycle_event === 'prepare';
const node = findNode();
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
if (isPrepare) needDependencies();
else {
  installDependencies();
  installPackages();
}
build();
if (isTest && !process.argv.includes('--only') && platform() === 'linux') fetchNode(OLDEST_NODE);
const [program, ...rest] = process.argv.slice(2);
if (program !== undefined && program !== 'scripts/build.ts') {
  const result = spawnSync(node, [join(root, program), ...rest], { stdio: 'inherit', env, cwd: root });
  process.exit(result.status ?? 1);
}

function findNode() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number);
  const [wantMajor, wantMinor] = NODE_VERSION.split('.').map(Number);
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return process.execPath;
  if (isPrepare && ((major === 22 && (minor > 22 || (minor === 22 && patch >= 3))) || (major === 24 && minor >= 15)))
    return process.execPath;
  if (platform() !== 'linux' && !existsSync(fetchedNode(NODE_VERSION)))
    fail(`needs Node >= ${NODE_VERSION}, this is ${process.versions.node}: install it and run this again`);
  return fetchNode(NODE_VERSION);
}

function fetchedNode(version) {
  const modules = join(cacheFolder, `node-${version}`, 'node_modules');
  return join(modules, `node-${platform()}-${arch()}`, 'bin', 'node');
}

function fetchNode(version) {
  const binary = fetchedNode(version);
  if (existsSync(binary)) return binary;
  say(`fetching Node ${version} (this is ${process.versions.node})`);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial Node behind.
  const place = join(cacheFolder, `node-${version}`);
  const fresh = `${place}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  npm(
    ['install', '--no-save', '--ignore-scripts', '--prefix', fresh, `node-${platform()}-${arch()}@${version}`],
    process.execPath,
    process.env,
  );
  if (!existsSync(binary)) {
    rmSync(place, { recursive: true, force: true });
    renameSync(fresh, place);
  } else rmSync(fresh, { recursive: true, force: true });
  return binary;
}

function needDependencies() {
  if (existsSync(join(root, 'node_modules/esbuild')) && existsSync(join(root, 'node_modules/typescript'))) return;
  if (existsSync(join(root, 'dist'))) process.exit(0);
  fail('cannot build without the development dependencies: run npm install without --omit=dev');
}

function installDependencies() {
  const mark = join(root, 'node_modules', '.outlast-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  say('installing dependencies');
  // Not `ci`: it refuses a lock file without the packages of platforms that a registry does not carry.
  npm(['install', '--no-save', '--ignore-scripts'], node, env);
  writeFileSync(mark, lock);
}

/**
 * System packages: tmux for its sessions, strace to make system calls fail, shells to check their completion, systemd
 * to boot in a container.
 */
function installPackages() {
  const wanted = { tmux: 'sessions in tmux will not work', ...(isTest && TEST_PACKAGES) };
  const missing = Object.keys(wanted).filter((name) => !find(name));
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && find('apt-get');
  if (canInstall) {
    const packages = [...new Set(missing.flatMap((name) => PACKAGES_OF[name] ?? [name]))];
    say(`installing ${packages.join(' and ')}`);
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', ...packages], quiet);
  }
  for (const name of missing.filter((each) => !find(each))) {
    say(`${name} is missing (${wanted[name]}): install it with your package manager`);
  }
}

function build() {
  const mark = join(root, 'dist', '.built-from');
  const hash = createHash('sha256');
  for (const file of [
    ...filesBelow(join(root, 'src')),
    join(root, 'scripts', 'build.ts'),
    join(root, 'package.json'),
  ]) {
    hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  const from = hash.digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === from) return;
  say('building');
  // npm pack prints its result: nothing else may be printed there.
  const result = spawnSync(node, [join(root, 'scripts', 'build.ts')], { stdio: ['ignore', 2, 2], env, cwd: root });
  if (result.status !== 0) process.exit(result.status ?? 1);
  writeFileSync(mark, from);
}

function filesBelow(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

function find(command) {
  if (FILE_OF[command] !== undefined) return existsSync(FILE_OF[command]);
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
}

function npm(args, withNode, withEnv) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  try {
    if (cli) execFileSync(withNode, [cli, ...args, ...quiet], { stdio: ['ignore', 2, 2], env: withEnv, cwd: root });
    else execFileSync('npm', [...args, ...quiet], { stdio: ['ignore', 2, 2], env: withEnv, cwd: root });
  } catch {
    fail(`npm ${args[0]} failed (see above)`);
  }
}

function fail(line) {
  say(line);
  process.exit(1);
}
