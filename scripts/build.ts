// Bundles src/ into dist/: the CLI in lazily loaded pieces, the daemon, the holder as one file, the SDK and its types.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outdir: 'dist',
  external: ['@lydell/node-pty'],
  // xterm is CommonJS inside our ESM bundle.
  banner: {
    js: "import { createRequire as outlastRequire } from 'node:module'; const require = outlastRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

await build({
  ...common,
  banner: { js: '' },
  splitting: true,
  entryPoints: { cli: 'src/cli/main.ts', client: 'src/client/index.ts' },
  chunkNames: 'cli/[name]-[hash]',
});
await build({
  ...common,
  entryPoints: { daemon: 'src/daemon/main.ts', holder: 'src/terminal/holder.ts', viewer: 'src/terminal/viewer.ts' },
});
for (const script of ['launcher.sh', 'tmux.conf']) cpSync(join(root, 'src/terminal', script), join(dist, script));
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json'], {
  cwd: root,
  stdio: 'inherit',
});
