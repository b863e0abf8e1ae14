import { path } from '../../client/node.ts';

/** The option of every command that sends a prompt. */
export const IMAGE_OPTIONS = {
  image: {
    type: 'string',
    value: 'FILE',
    multiple: true,
    sentence: 'Send this image with the prompt: PNG, JPEG, GIF or WebP.',
  },
} as const;

/** The images of a prompt, as the daemon gets them. */
export function imagesInput({ image }: { readonly image: readonly string[] }): { images?: string[] } {
  return image.length === 0 ? {} : { images: image.map((file) => path.resolve(file)) };
}
