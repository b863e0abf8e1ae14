import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { valuesOf } from '../config/values.ts';
import type { Parts } from '../serve/parts.ts';

/** The settings in use, and how they differ from the file. */
export function configShow({ liveConfig }: Parts, { key }: HandlerInput<'config.show'>): CallOutput<'config.show'> {
  const { unread, waiting, ...rest } = liveConfig.state();
  const keys = valuesOf(liveConfig.settings, key).map((each) => ({ ...each }));
  return { ...rest, unread: [...unread], waiting: [...waiting], keys };
}
