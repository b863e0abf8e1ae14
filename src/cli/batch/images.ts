import { causeText } from '../../base/system-errors.ts';
import { fs, path } from '../../client/node.ts';
import type { Mistakes } from './mistakes.ts';
import { hashOf } from './order.ts';
import { type Raw, wordsOf } from './words.ts';
import type { Way } from './yaml.ts';

/** The key of the images of a session: the option of `run`. */
export const IMAGE_KEY = 'image';

/** The images of a session. */
export interface Images {
  readonly paths: readonly string[];
  /** Hashes of their contents: another picture under the same name is another session. */
  readonly hashes: readonly string[];
}

/** Reads the images that a session or the defaults of the file name. */
export function imagesOf(
  mistakes: Mistakes,
  { own, ownWay, defaults, folder }: { own: Raw; ownWay: Way; defaults: Raw; folder: string },
): Images {
  const isOwn = Object.hasOwn(own, IMAGE_KEY);
  const way: Way = isOwn ? [...ownWay, IMAGE_KEY] : ['defaults', IMAGE_KEY];
  const words = wordsOf(mistakes, way, (isOwn ? own : defaults)[IMAGE_KEY]);
  const paths = words.map((word) => path.resolve(folder, word));
  return { paths, hashes: paths.map((file) => hashIn(mistakes, way, file)) };
}

function hashIn(mistakes: Mistakes, way: Way, file: string): string {
  try {
    return hashOf(fs.readFileSync(file, 'base64'));
  } catch (error) {
    mistakes.add(way, `cannot read ${file}: ${causeText(error)}`);
    return '';
  }
}
