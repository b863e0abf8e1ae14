// Loaded before the simulator: puts one deliberate mistake into one source file, in memory only.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutation } from './mutations.ts';

const { file, from, to } = JSON.parse(process.env.OUTLAST_TEST_MISTAKE ?? '') as Mutation;
const mistaken = pathToFileURL(join(import.meta.dirname, '../..', file)).href;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (url !== mistaken || loaded.source === undefined || loaded.source === null) return loaded;
    const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: text.replace(from, () => to) };
  },
});
