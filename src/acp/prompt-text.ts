import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { wrongRequest } from './errors.ts';

/** The text of a prompt. What an editor embeds is put into it, and links are named. Images go beside it. */
export function promptTextOf(blocks: readonly ContentBlock[]): string {
  const text = blocks.map(textOf).join('');
  if (text.trim() === '' && blocks.some(({ type }) => type === 'image')) return ONLY_IMAGES;
  if (text.trim() === '') throw wrongRequest('the prompt is empty');
  return text;
}

/** The text of a prompt that has only images. */
const ONLY_IMAGES = '[image]';

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return linkText(block.uri, block.name);
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource))
        throw wrongRequest(`${resource.uri}: a prompt has text; save the file, and name its path in the prompt`);
      return `\n<context uri="${resource.uri}">\n${resource.text}\n</context>\n`;
    }
    case 'image':
      return '';
    case 'audio':
      throw wrongRequest('a prompt cannot have audio: save it as a file, and name its path in the prompt');
  }
}

/** A file by its path, which agents can read; anything else by its address. */
function linkText(uri: string, name: string): string {
  if (!uri.startsWith('file:')) return `[${name}](${uri})`;
  try {
    return fileURLToPath(uri);
  } catch {
    return `[${name}](${uri})`;
  }
}
