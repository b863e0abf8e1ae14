import { asText, type Line } from '../seam/json.ts';
import { type Message, messageOf, type Used, usedOf } from './message.ts';

/** What one line means in the file of a conversation. */
export type Entry =
  | { readonly is: 'begun'; readonly id: string | null; readonly cwd: string | null; readonly atMs: number | null }
  | { readonly is: 'message'; readonly id: string; readonly message: Message; readonly atMs: number | null }
  /** Used up without a message, for example by a summary. */
  | { readonly is: 'used'; readonly id: string; readonly used: Used; readonly atMs: number | null }
  | { readonly is: 'compacted' }
  | { readonly is: 'model'; readonly model: string }
  | { readonly is: 'unreadable' };

/** The entries of a line; none when it is irrelevant. */
export function entriesOf(line: Line): Entry[] {
  if (line.is === 'unreadable') return [{ is: 'unreadable' }];
  const { fields } = line;
  const id = asText(fields.id) ?? '';
  const parsed = Date.parse(asText(fields.timestamp) ?? '');
  const atMs = Number.isNaN(parsed) ? null : parsed;
  switch (fields.type) {
    case 'session':
      return [{ is: 'begun', id: asText(fields.id), cwd: asText(fields.cwd), atMs }];
    case 'message': {
      const message = messageOf(fields.message);
      return message === null ? [] : [{ is: 'message', id, message, atMs }];
    }
    case 'usage':
      return [{ is: 'used', id, used: usedOf(fields.usage), atMs }];
    case 'compaction':
      return [{ is: 'compacted' }, { is: 'used', id, used: usedOf(fields.usage), atMs }];
    case 'branch_summary':
      return [{ is: 'used', id, used: usedOf(fields.usage), atMs }];
    case 'model_change':
      return [{ is: 'model', model: `${asText(fields.provider) ?? ''}/${asText(fields.modelId) ?? ''}` }];
    default:
      return [];
  }
}
