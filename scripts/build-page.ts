// Bundles src/page for browsers: the first view, parts that are loaded on use, styles and files, with names that change
// with their content.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Where the page is built. */
interface PageBuild {
  readonly root: string;
  readonly folder: string;
  /** Everything that went into the bundle is added to it. */
  readonly inputs: Set<string>;
  /** For people who read the code in the browser. */
  readonly isPlain?: boolean;
}

/** What each operation does in a sentence is for documents: it is a tenth of what the first view loads. */
const withoutSentences: Plugin = {
  name: 'without sentences',
  setup({ onLoad }) {
    onLoad({ filter: /src\/api\/routes-\w+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/^ +sentence:\s+'.*',\n/gm, ''),
      loader: 'ts',
    }));
  },
};

/** Builds the page: index.html, and assets/ with hashed names. */
export async function buildPage({ root, folder, inputs, isPlain = false }: PageBuild): Promise<void> {
  const source = join(root, 'src/page');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/page/main.tsx', 'src/page/page.css', 'src/page/later.css'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: !isPlain,
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file', '.png': 'file', '.svg': 'file' },
    plugins: [withoutSentences],
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const path of Object.keys(metafile.inputs)) inputs.add(path);
  const outputs = Object.entries(metafile.outputs);
  const built = new Map(outputs.flatMap(([path, { entryPoint }]) => named(entryPoint, path)));
  const html = readFileSync(join(source, 'index.html'), 'utf8').replace(/\{\{([\w-]+\.\w+)\}\}/g, (_, name: string) => {
    const path = built.get(name);
    if (path === undefined) throw new Error(`index.html names ${name}, which is not built`);
    return `/${relative(folder, join(root, path))}`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html);
  copyPlain(join(source, 'files'), folder);
  const files = outputs.map(([path]) => `/${relative(folder, join(root, path))}`).sort();
  await buildShell({ root, folder, inputs, isPlain }, files, html);
}

/** Builds the service worker, which knows the files by their names. A new build has a new hash. */
async function buildShell({ root, folder, inputs, isPlain = false }: PageBuild, files: string[], html: string) {
  const hash = createHash('sha256')
    .update(JSON.stringify([files, html]))
    .digest('hex')
    .slice(0, 16);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { sw: 'src/page/shell/service-worker.ts' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
    minify: !isPlain,
    outdir: folder,
    define: { SHELL_FILES: JSON.stringify(files), SHELL_HASH: JSON.stringify(hash) },
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const path of Object.keys(metafile.inputs)) inputs.add(path);
}

function named(entryPoint: string | undefined, path: string): [string, string][] {
  return entryPoint === undefined || !['.js', '.css'].includes(extname(path)) ? [] : [[basename(entryPoint), path]];
}

/** Files whose names are known outside, such as icons: they are copied as they are. */
function copyPlain(from: string, to: string): void {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), readFileSync(join(from, name)));
  }
}
