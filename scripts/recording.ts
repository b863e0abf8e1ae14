// Makes docs/screens/readme.svg: the commands of the README, typed by a user with a real agent and a scripted model.
//   node scripts/bootstrap.mjs scripts/recording.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepsOf } from '../test/pages/page.ts';
import { worldOf } from '../test/pages/worlds.ts';
import { recordingSvg } from './screens/svg.ts';

const SIZE = { columns: 100, rows: 24, title: 'Outlast' };
const [TYPED_MS, READ_MS, ROW_MS] = [900, 1_400, 160];

const root = join(import.meta.dirname, '..');
await using world = await worldOf('README.md');
const rows: string[] = [];
const frames: { rows: readonly string[]; ms: number }[] = [];
for (const { command } of stepsOf(readFileSync(join(root, 'README.md'), 'utf8'))) {
  rows.push(`\x1b[32m$\x1b[0m \x1b[1m${command}\x1b[0m`);
  frames.push({ rows: [...rows], ms: TYPED_MS });
  const output = await world.type(command, 'coloured');
  const lines = output === '' ? [] : output.split('\n');
  rows.push(...lines, '');
  frames.push({ rows: [...rows], ms: READ_MS + ROW_MS * lines.length });
}
writeFileSync(join(root, 'docs/screens/readme.svg'), recordingSvg(frames, SIZE));
process.stdout.write('docs/screens/readme.svg\n');
