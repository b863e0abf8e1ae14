import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { UPLOAD_LIMITS } from '../../api/upload-limits.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import { refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { storePiece } from '../start/uploads.ts';

const MB = 1024 * 1024;

/** Puts a piece of a file into the folder of an agent session. The answer to the last piece has its path. */
export async function sessionUpload(
  { sessions, config }: Parts,
  input: HandlerInput<'session.upload'>,
): Promise<CallOutput<'session.upload'>> {
  const { session } = sessions.find(input.session);
  refuseCommand(session);
  if (session.phase.at === 'ended' || session.phase.at === 'closing')
    throw new OutlastError('session_ended', `${nameOf(session)} has ended and takes no files`);
  const { key, name, bytes, offset } = input;
  return storePiece(config.state, session.id, { key, name, bytes, offset, content: decoded(input.base64) });
}

function decoded(base64: string): Buffer {
  const content = Buffer.from(base64, 'base64');
  if (content.toString('base64') !== base64)
    throw new OutlastError('input_invalid', 'base64: this is not base64; encode the bytes with padding, in one line');
  if (content.length > UPLOAD_LIMITS.pieceBytesMax)
    throw new OutlastError(
      'input_invalid',
      `base64: a piece has at most ${UPLOAD_LIMITS.pieceBytesMax / MB} MB; send the rest with a higher offset`,
    );
  return content;
}
