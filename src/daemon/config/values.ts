import { OutlastError } from '../../base/errors.ts';
import { type Origin, type Settings, valueAt, variableOf } from './config.ts';
import { type Applies, configKeys, knownAt, shapeAt, unknownText } from './shape.ts';

/** A key with its value, and where that comes from. */
export interface KeyValue {
  readonly key: string;
  readonly value: unknown;
  readonly from: Origin;
  /** The variable that sets it; null: it comes from elsewhere. */
  readonly variable: string | null;
  readonly applies: Applies;
}

/** The keys below a place, or the value at a deeper one. */
export function valuesOf({ config, origin }: Settings, key: string): readonly KeyValue[] {
  const path = key === '' ? [] : keyPath(key);
  const all = configKeys();
  const below = all.filter((each) => path.every((part, i) => each.path[i] === part));
  const holder = all.find((each) => each.path.every((part, i) => path[i] === part));
  const places = below.length > 0 ? below : holder === undefined ? [] : [{ ...holder, path }];
  return places.map(({ path, applies }) => {
    const from = origin(path);
    const value = valueAt(config, path) ?? null;
    return { key: path.join('.'), value, from, variable: from === 'variable' ? variableOf(path) : null, applies };
  });
}

/** A key as people write it: names with dots between them. */
export function keyPath(key: string): readonly string[] {
  const path = key.split('.');
  if (key === '$schema') return path;
  for (let length = 1; length <= path.length; length += 1) {
    const at = path.slice(0, length);
    // Inside of an agent's entry its own schema says what is known.
    if (shapeAt(at) === null && at[0] !== 'agents')
      throw new OutlastError('input_invalid', `"${at.join('.')}" ${unknownText(at, knownAt(at.slice(0, -1)))}`);
  }
  return path;
}
