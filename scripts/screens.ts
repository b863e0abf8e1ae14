// Makes the pictures in docs/screens from real runs: each is what a terminal shows, as SVG with text.
// `node scripts/bootstrap.mjs scripts/screens.ts [NAME…]`; without names, all of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCENES } from './screens/scenes.ts';
import { Stage } from './screens/stage.ts';
import { screenSvg } from './screens/svg.ts';

const folder = join(import.meta.dirname, '../docs/screens');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SCENES));
if (unknown.length > 0)
  throw new Error(`no screen is called ${unknown.join(', ')}; they are ${Object.keys(SCENES).join(', ')}`);

mkdirSync(folder, { recursive: true });
for (const [name, scene] of Object.entries(SCENES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await using stage = await Stage.open(scene.size);
  await scene.play(stage);
  writeFileSync(join(folder, `${name}.svg`), screenSvg(stage.capture(), { ...scene.size, title: scene.title }));
  process.stdout.write(`docs/screens/${name}.svg\n`);
}
