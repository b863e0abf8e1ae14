import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agent/seam/agent.ts';
import type { SentImage } from '../agent/seam/images.ts';
import type { Say } from '../core/event.ts';
import type { Image } from '../core/image.ts';
import type { SessionId, Spec } from '../core/session.ts';
import { sessionFolder } from '../terminal/run-folder.ts';

/** The images of a prompt, as its agent gets them. */
export function sentImages(state: string, session: SessionId, images: readonly Image[] = []): readonly SentImage[] {
  return images.map(({ name, type, path: file }) => {
    const path = join(sessionFolder(state, session), file);
    return { path, name, type, base64: () => readFileSync(path, 'base64') };
  });
}

/** The text that an agent is given for a prompt: on standard input, or typed. */
export function spokenText(
  { images }: Pick<Agent, 'images'>,
  drive: Spec['drive'],
  { text }: Say,
  sent: readonly SentImage[],
): string {
  const way = drive === 'turns' ? images?.turns : drive === 'live' ? images?.live : undefined;
  return sent.length === 0 || typeof way !== 'function' ? text : way(text, sent);
}
