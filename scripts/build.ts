// Bundles src/ into dist/: the command line, the daemon, the holder, the viewer and our own agents as one file each,
// the SDK and its types.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build as bundle, type Plugin } from 'esbuild';
import { schemas } from './api-docs.ts';
import { buildPage } from './build-page.ts';
import { licencesOf } from './licences.ts';
import { writeManPages } from './man-pages.ts';
import { plainTypes } from './plain-types.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
// Built in a temporary folder and swapped in: a program that runs from dist never sees half a build.
const fresh = join(root, `dist.new.${process.pid}`);
rmSync(fresh, { recursive: true, force: true });
mkdirSync(fresh);

/**
 * Imports only what is used of Node's own modules. A plain `import` reads each export at once, also those that load
 * much more: `node:http` loads a whole second HTTP client.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default');
      const lines = names.map((name) => `const ${name}_ = own('${name}'); export { ${name}_ as ${name} };`);
      const all = `const all = process.getBuiltinModule('${path}'); export default all;`;
      return { contents: [all, '/* @__NO_SIDE_EFFECTS__ */ const own = (name) => all[name];', ...lines].join('\n') };
    });
  },
};

/** Everything that went into the bundles. */
const inputs = new Set<string>();

/**
 * Bundles, and writes ASCII. With one other character, even in a comment, V8 stores two bytes for each character of the
 * whole file, and reads it more slowly.
 */
async function build(options: BuildOptions): Promise<void> {
  const { metafile, outputFiles } = await bundle({ ...options, metafile: true, write: false });
  for (const path of Object.keys(metafile.inputs)) inputs.add(path);
  for (const { path, text } of outputFiles) writeFileSync(path, text.replace(/[^\0-\x7f]/g, escaped));
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22.22',
  format: 'esm',
  outdir: fresh,
  external: ['@lydell/node-pty'],
  // Its other entry cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'warning',
};

/** xterm and ws are CommonJS inside our ESM bundles. */
const REQUIRE =
  "import { createRequire as outlastRequire } from 'node:module'; const require = outlastRequire(import.meta.url);";

/** ws would look for two packages with native code. */
const WITHOUT_ADDONS = { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' };

// One file: each further file costs the command line a millisecond at every start. Commands still load on use.
// CommonJS loads a little faster still.
await build({
  ...common,
  format: 'cjs',
  minify: true,
  entryPoints: { cli: 'src/cli/main.ts' },
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.dirname': '__dirname' },
});
// bin/outlast.cjs runs it as a script, which has no `import()`, and keeps its compiled code by the hash.
const cli = readFileSync(join(fresh, 'cli.cjs'), 'latin1').replaceAll(/\bimport\(/g, 'outlastImport(');
const cliHash = createHash('sha256').update(cli).digest('hex').slice(0, 16);
writeFileSync(join(fresh, 'cli.cjs'), `// ${cliHash}\n${cli}`, 'latin1');
await build({ ...common, entryPoints: { client: 'src/client/index.ts' } });
await build({ ...common, platform: 'browser', target: 'es2023', entryPoints: { browser: 'src/client/browser.ts' } });
writeFileSync(join(fresh, 'schemas.json'), schemas());
await build({
  ...common,
  plugins: [builtins],
  entryPoints: {
    'daemon-main': 'src/daemon/main.ts',
    holder: 'src/terminal/holder.ts',
    viewer: 'src/terminal/viewer.ts',
  },
  banner: { js: REQUIRE },
  define: WITHOUT_ADDONS,
});
await build({ ...common, plugins: [builtins], entryPoints: { daemon: 'src/daemon/machine/entry.ts' } });
// The process that reads conversations for the search.
await build({ ...common, plugins: [builtins], entryPoints: { search: 'src/daemon/search/main.ts' } });
// The process that sends to OpenTelemetry, with its libraries.
await build({ ...common, plugins: [builtins], minify: true, entryPoints: { otel: 'src/daemon/otel/main.ts' } });
// Loaded by the command line only to serve MCP; larger than all the rest of it.
await build({ ...common, plugins: [builtins], minify: true, entryPoints: { mcp: 'src/mcp/main.ts' } });
// Likewise to serve the Agent Client Protocol.
await build({ ...common, plugins: [builtins], minify: true, entryPoints: { acp: 'src/acp/main.ts' } });
// Likewise for `batch`, the only command that reads YAML.
await build({ ...common, platform: 'browser', minify: true, entryPoints: { yaml: 'src/cli/batch/yaml.ts' } });
// Likewise for `top`.
await build({ ...common, plugins: [builtins], minify: true, entryPoints: { top: 'src/cli/top/main.ts' } });
// The server of the web page, likewise; the page itself is below.
await build({
  ...common,
  plugins: [builtins],
  minify: true,
  entryPoints: { web: 'src/web/main.ts' },
  banner: { js: REQUIRE },
  define: WITHOUT_ADDONS,
});
await buildPage({ root, folder: join(fresh, 'page'), inputs });
// The permission server, which an agent without hooks asks before it uses a tool.
await build({
  ...common,
  plugins: [builtins],
  entryPoints: { 'permission-server': 'src/agent/claude/permission-server/main.ts' },
});
// Separate programs, started by their paths as real agents are.
await build({
  ...common,
  plugins: [builtins],
  entryPoints: { scripted: 'src/agent/claude/stand-in/main.ts' },
  banner: { js: '#!/usr/bin/env node' },
});
await build({
  ...common,
  plugins: [builtins],
  entryPoints: { echo: 'src/agent/echo/program/main.ts' },
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
  define: WITHOUT_ADDONS,
});
for (const agent of ['scripted.js', 'echo.js']) chmodSync(join(fresh, agent), 0o755);
for (const script of ['launcher.sh', 'hook.sh', 'ask.sh', 'tmux.conf'])
  cpSync(join(root, 'src/terminal', script), join(fresh, script));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
await writeManPages(join(fresh, 'man'), { version, date: new Date().toISOString().slice(0, 10) });
writeFileSync(join(fresh, 'third-party-licences.txt'), licencesOf(root, inputs));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', join(fresh, 'types')], {
  cwd: root,
  stdio: 'inherit',
});
// The types of the contract without its schemas: who uses the SDK needs no library for them.
const types = join(fresh, 'types/api');
for (const name of readdirSync(types))
  if (readFileSync(join(types, name), 'utf8').includes("'zod'")) rmSync(join(types, name));
for (const [name, text] of plainTypes()) writeFileSync(join(types, name), text);
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);
