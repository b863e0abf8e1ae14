import { type Signal, signal } from '@preact/signals';
import { UPLOAD_LIMITS } from '../../api/upload-limits.ts';
import type { Outlast } from '../../client/browser.ts';
import { ATTACH_STRINGS as words } from '../words/attach-strings.ts';

/** A picture or another file that goes with the next prompt. */
export interface Attachment {
  readonly id: number;
  readonly file: File;
  /** An image goes to the agent as such; another file is named in the text. */
  readonly isImage: boolean;
  /** Of a picture, to show it; null: it is no picture. */
  readonly url: string | null;
  readonly sentBytes: number;
  /** On the machine of the daemon; null: it is not there yet. */
  readonly path: string | null;
  /** Why it cannot go; null: nothing is wrong. */
  readonly fault: string | null;
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MB = 1024 * 1024;

/** What goes with the next prompt of one session. It stays in the memory of the page until it is sent or removed. */
export class Attachments {
  readonly items: Signal<readonly Attachment[]> = signal([]);
  readonly #session: string;
  readonly #outlast: () => Outlast;
  readonly #sending = new Map<number, AbortController>();
  #next = 1;

  constructor(session: string, outlast: () => Outlast) {
    this.#session = session;
    this.#outlast = outlast;
  }

  /** Takes files, and sends each to the session at once. */
  add(files: Iterable<File>): void {
    for (const file of files) {
      const isImage = IMAGES.has(file.type);
      const url = isImage ? URL.createObjectURL(file) : null;
      const fault = faultOf(file);
      const made = { id: this.#next++, file, isImage, url, sentBytes: 0, path: null, fault };
      this.items.value = [...this.items.value, made];
      if (fault === null) void this.send(made.id);
    }
  }

  /** Sends one; also again, when it failed. */
  async send(id: number): Promise<void> {
    const { file } = this.items.value.find((each) => each.id === id) ?? {};
    if (file === undefined) return;
    const stop = new AbortController();
    this.#sending.set(id, stop);
    this.#change(id, { fault: null, sentBytes: 0 });
    const progress = (sentBytes: number): void => this.#change(id, { sentBytes });
    try {
      const session = this.#outlast().session(this.#session);
      this.#change(id, { path: await session.upload({ name: file.name, content: file, progress }, stop.signal) });
    } catch (error) {
      this.#change(id, { fault: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#sending.delete(id);
    }
  }

  /** Takes some away: they were sent with a prompt, or are not wanted. */
  remove(ids: readonly number[]): void {
    for (const { id, url } of this.items.value) {
      if (!ids.includes(id)) continue;
      this.#sending.get(id)?.abort();
      if (url !== null) URL.revokeObjectURL(url);
    }
    this.items.value = this.items.value.filter(({ id }) => !ids.includes(id));
  }

  #change(id: number, to: Partial<Attachment>): void {
    this.items.value = this.items.value.map((each) => (each.id === id ? { ...each, ...to } : each));
  }
}

function faultOf({ size }: File): string | null {
  const { fileBytesMax } = UPLOAD_LIMITS;
  if (size > fileBytesMax) return words.tooLarge(fileBytesMax / MB);
  return size === 0 ? words.empty : null;
}

/** Is everything there that goes with the prompt? */
export function isReady(items: readonly Attachment[]): boolean {
  return items.every(({ path }) => path !== null);
}

/** A prompt with what goes with it: images by their paths, other files named below the text. */
export function withAttachments(text: string, items: readonly Attachment[]): { prompt: string; images: string[] } {
  const pathsOf = (isImage: boolean): string[] =>
    items.flatMap((each) => (each.isImage === isImage && each.path !== null ? [each.path] : []));
  const files = pathsOf(false);
  const named = files.length === 0 ? [] : [[words.files, ...files].join('\n')];
  return { prompt: [text, ...named].filter((part) => part !== '').join('\n\n'), images: pathsOf(true) };
}
