import { readWhole } from '../seam/lines.ts';
import type { TranscriptView } from '../seam/record.ts';
import { claudeRecord } from './record.ts';

export { bare, isPlaceholder, isSameText } from './prompt-text.ts';

/** Reads a whole transcript, or the end of one. */
export function readTranscript(text: string): TranscriptView {
  return readWhole(claudeRecord, text);
}
