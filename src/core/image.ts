/** The kinds of images that agents take. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** An image that goes with a prompt. Its content is a file in the session's folder, which nobody changes. */
export interface Image {
  /** As its file was called where it came from. */
  readonly name: string;
  readonly type: ImageType;
  readonly bytes: number;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
  /** In the session's folder. */
  readonly path: string;
}

/** The images of a prompt, for what is left out if there are none. */
export function withImages(images: readonly Image[] | undefined): { readonly images?: readonly Image[] } {
  return images === undefined || images.length === 0 ? {} : { images };
}
