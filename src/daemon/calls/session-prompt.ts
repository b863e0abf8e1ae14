import { checkImages, checkPrompt, driveOf, knownAgent } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { inputId } from '../../core/cause.ts';
import { withImages } from '../../core/image.ts';
import type { PromptId } from '../../core/session.ts';
import { isLongLived } from '../../core/spec.ts';
import { placeAt } from '../journal/cursor.ts';
import { refuseBehindGate, refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { readImages, storeImages } from '../start/images.ts';
import { viewOf } from '../views/view.ts';

/** Queues a prompt for an agent. It is durable on return; it is sent when the agent is ready. */
export async function sessionPrompt(
  parts: Parts,
  input: HandlerInput<'session.prompt'>,
): Promise<CallOutput<'session.prompt'>> {
  const { sessions, journal, clock } = parts;
  const { session } = sessions.find(input.session);
  refuseCommand(session);
  const agent = knownAgent(parts.agents, session.spec.agent);
  const drive = driveOf(agent, session.spec.drive);
  refuseBehindGate(parts, input, { '--command': input.asCommand });
  const text = textOf(input);
  checkPrompt(drive, text, input.asCommand);
  if (input.now && drive.steers === false)
    throw new OutlastError('not_supported', `${session.spec.agent} takes no prompt during a turn; leave out --now`);
  const isCommand = isLongLived(session.spec) && drive.isCommand(text);
  checkImages(parts.agents, session.spec, input.images, input.asCommand && drive.isCommand(text));
  const id = (input.key ?? newId(clock.wallMs())) as PromptId;
  const cause = inputId('prompt', session.id, id);
  // Of a prompt that is repeated, the images may be gone by now.
  const read = journal.taken(cause) === null ? await readImages(input.images) : [];
  const images = storeImages(parts.config.state, session.id, read);
  const { now } = input;
  sessions.submit(session, { type: 'prompt', prompt: id, text, ...withImages(images), now, command: isCommand }, cause);
  return {
    session: viewOf(parts.config.state, sessions.find(session.id)),
    prompt: id,
    ...placeAt(journal, journal.head()),
  };
}

/** What to send, under its name or its earlier one. */
function textOf({ prompt, text }: Pick<HandlerInput<'session.prompt'>, 'prompt' | 'text'>): string {
  const [given, other] = [prompt ?? text, text ?? prompt];
  if (given === undefined) throw new OutlastError('input_invalid', 'prompt: missing; say what to send');
  if (given !== other) throw new OutlastError('input_invalid', 'prompt and text are the same; pass one of them');
  return given;
}
