import { readWhole } from '../seam/lines.ts';
import type { TranscriptView } from '../seam/record.ts';
import { claudeRecord } from './record.ts';

export { bare, isPlaceholder, isSameText } from './heard-text.ts';

/** What a transcript, or the end of one, says of the conversation. */
export function readTranscript(text: string): TranscriptView {
  return readWhole(claudeRecord, text);
}
