import { execFileSync, spawnSync } from 'node:child_process';
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
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageOf } from './page-world.ts';

// As a user who installs the package: it is packed, unpacked elsewhere, and used there.

const NODE_LIB = ['ES2024', 'ESNext.Disposable'];
const ROOT = join(import.meta.dirname, '../..');
const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'ol-package-'));
const installed = join(folder, 'node_modules/outlast');
const program = join(installed, 'bin/outlast.cjs');

beforeAll(() => {
  const words = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', folder];
  const name = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components', '1']);
  // Only the declared dependencies; npm would install the same.
  for (const each of [...Object.keys(dependencies), '@types/node', 'undici-types']) link(each);
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'theirs', type: 'module', private: true }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function link(name: string): void {
  const at = join(folder, 'node_modules', name);
  mkdirSync(dirname(at), { recursive: true });
  if (existsSync(join(ROOT, 'node_modules', name))) symlinkSync(join(ROOT, 'node_modules', name), at);
}

/** Runs a program of the user, in the user's folder. */
function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): { status: number | null; out: string } {
  const [command = '', ...words] = argv;
  const all = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(command, words, all);
  return { status, out: `${stdout}${stderr}` };
}

/** Type-checks the user's files as strictly as possible: also the types that the package publishes. */
function check(name: string, files: readonly string[], options: object): { status: number | null; out: string } {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const how = { module: 'NodeNext', noEmit: true, skipLibCheck: false, verbatimModuleSyntax: true };
  const compilerOptions = { target: 'ES2024', ...strict, ...how, ...options };
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions, files }));
  return run([join(ROOT, 'node_modules/.bin/tsc'), '-p', name]);
}

test('the package has what is needed, and nothing else', () => {
  for (const path of [
    'dist/daemon.js',
    '.claude-plugin/plugin.json',
    'commands/delegate.md',
    'skills/outlast/SKILL.md',
  ])
    expect([path, existsSync(join(installed, path))]).toEqual([path, true]);
  for (const path of ['src', 'test', 'scripts', 'node_modules', '.cache'])
    expect([path, existsSync(join(installed, path))]).toEqual([path, false]);
});

test('it depends only on what cannot be bundled, and includes the licences of the rest', () => {
  // A native module. The published types name no other package.
  expect(Object.keys(dependencies)).toEqual(['@lydell/node-pty']);
  const text = readFileSync(join(installed, 'dist/third-party-licences.txt'), 'utf8');
  const parts = text.split(/^(\S+ \d+\.\d+\.\d+): (?:MIT|ISC|Apache-2\.0)\n=+\n/m).slice(1);
  const names = parts.filter((_, i) => i % 2 === 0).map((each) => each.split(' ')[0]);
  expect(names).toEqual(expect.arrayContaining(['@modelcontextprotocol/server', '@xterm/headless', 'yaml', 'zod']));
  const empty = names.filter((_, i) => !/permission|licen[cs]e/i.test(parts[2 * i + 1] ?? ''));
  expect(empty).toEqual([]);
});

test('what the readme and the guides point to is in the package', () => {
  const guides = readdirSync(join(installed, 'docs/guides')).map((name) => `docs/guides/${name}`);
  expect(guides).toContain('docs/guides/spawn.md');
  const missing = ['README.md', ...guides].flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^):#]+)[^):]*\)/g)]
      .map(([, link = '']) => join(dirname(page), link))
      .filter((path) => !existsSync(join(installed, path))),
  );
  expect(missing).toEqual([]);
});

test('the command says its version, runs another one on each terminal, and serves other agents', () => {
  const config = join(folder, 'config.json');
  writeFileSync(config, '{}');
  const env = { OUTLAST_STATE: join(folder, 'state'), OUTLAST_CONFIG: config, XDG_STATE_HOME: '/nonexistent' };
  const outlast = (...words: string[]): unknown => run([process.execPath, program, ...words], env);
  expect(outlast('--version')).toEqual({ status: 0, out: `${version}\n` });
  try {
    for (const how of ['--split', '--pty', '--tmux'])
      expect(outlast('exec', how, '--', 'echo', 'from the package')).toMatchObject({
        status: 0,
        out: expect.stringContaining('from the package'),
      });
    // The input ends at once, so it exits.
    expect(outlast('mcp')).toEqual({ status: 0, out: '' });
  } finally {
    outlast('daemon', 'stop');
  }
});

test('what it exports can be imported', () => {
  const script = `
    import * as sdk from 'outlast';
    import * as browser from 'outlast/browser';
    import schemas from 'outlast/schemas.json' with { type: 'json' };
    import openapi from 'outlast/openapi.json' with { type: 'json' };
    console.log(typeof sdk.connect, typeof browser.connect, typeof schemas['session.start'], openapi.openapi);
  `;
  const ran = run([process.execPath, '--input-type=module', '-e', script]);
  expect(ran.out).toMatch(/^function function object 3\./);
  expect(run([process.execPath, '-e', `require('outlast/src/client/index.ts')`]).out).toContain(
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
  );
});

test('the examples and the programs that the pages show fit the types that are published', () => {
  const names = readdirSync(join(folder, 'examples')).filter((name) => name.endsWith('.ts'));
  const examples = names.map((name) => `examples/${name}`);
  expect(examples.length).toBeGreaterThan(4);
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`)];
  const blocks = pages.flatMap((page) => [...pageOf(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)]);
  expect(blocks.length).toBeGreaterThanOrEqual(7);
  const shown = blocks.map(([, block = ''], i) => {
    const head = block.includes('import ') ? '' : `import { connect } from 'outlast';\nusing outlast = connect();\n`;
    writeFileSync(join(folder, `shown-${i}.ts`), `declare const signal: AbortSignal, token: string;\n${head}${block}`);
    return `shown-${i}.ts`;
  });
  // A file with an error is checked with them, and only its error is found.
  writeFileSync(
    join(folder, 'wrong.ts'),
    `import { connect } from 'outlast';\nawait connect().start({ promt: 'x' });\n`,
  );
  const { out } = check('node.json', [...examples, ...shown, 'wrong.ts'], { lib: NODE_LIB, types: ['node'] });
  expect(out).toMatch(/^wrong\.ts\(2,\d+\): error .*'promt' does not exist/);
  expect(out.match(/: error /g)).toHaveLength(1);
});

test('the types for the browser need nothing of Node', () => {
  const text = `import { connect } from 'outlast/browser';
    const outlast = connect({ url: 'https://example.org/api', token: 'x' });
    const session = await outlast.start({ agent: 'scripted', cwd: '/', env: {} });
    const { reply } = await session.converse('hello');
    document.title = reply ?? '';`;
  writeFileSync(join(folder, 'page.ts'), text);
  const lib = ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.AsyncIterable'];
  expect(check('browser.json', ['page.ts'], { lib, types: [] })).toEqual({ status: 0, out: '' });
});
