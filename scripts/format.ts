// Formats the code and applies safe lint fixes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { status } = spawnSync(join(root, 'node_modules/.bin/biome'), ['check', '--write'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
