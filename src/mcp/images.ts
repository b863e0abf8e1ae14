import { resolve } from 'node:path';

/** The images of a prompt, as the daemon gets them: a relative path is in the folder of the server. */
export function imagesIn(cwd: string, images: readonly string[] = []): { images?: string[] } {
  return images.length === 0 ? {} : { images: images.map((path) => resolve(cwd, path)) };
}
