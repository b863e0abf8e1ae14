import type { ImageType } from '../../core/image.ts';

/** How an agent takes the images of a prompt, by drive. A drive that is missing takes none. */
export interface Images {
  /** Arguments: the launch of a turn names their files. Otherwise the text on its standard input has them. */
  readonly turns?: 'arguments' | ImageText;
  /** The text that is typed has them. */
  readonly live?: ImageText;
  /** The message with the prompt has them. */
  readonly server?: 'message';
}

/** What an agent is given in place of the text of a prompt with images. */
export type ImageText = (text: string, images: readonly SentImage[]) => string;

/** An image as it is sent. */
export interface SentImage {
  /** The file with its content, absolute. */
  readonly path: string;
  readonly name: string;
  readonly type: ImageType;
  /** Its content, read on demand. */
  readonly base64: () => string;
}

/** The URL of a file. */
export function fileUrl(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The text, after the names of files that the agent reads by itself: at the end, they could be completed. */
export function mentioning(text: string, images: readonly SentImage[]): string {
  const names = images.map(({ path }) => (/\s/.test(path) ? `@"${path}"` : `@${path}`));
  return [...names, text].join(' ');
}

/** The folders of images, for an agent that reads the files that a prompt names only in folders that it knows. */
export function foldersOf(images: readonly SentImage[] = []): readonly string[] {
  return [...new Set(images.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))];
}

/** Names of stored images: those are called by a hash. An agent may have shortened the path. */
const MENTIONS = /^(?:\s*@"?(?:\/[^\n]*?\/)?[0-9a-f]{64}\.(?:png|jpg|gif|webp)"?)+\s?/;

/** The text of a prompt, without the names of its images. */
export function withoutMentions(text: string): string {
  return text.replace(MENTIONS, '');
}
