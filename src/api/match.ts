import { OutlastError } from '../base/errors.ts';
import { type OperationName, ROUTES } from './routes.ts';

/** An operation, and what the path of its request says. */
export interface Matched {
  readonly name: OperationName;
  readonly parameters: Record<string, string>;
}

/** The operation of a request. The path is not parsed as a URL: that would treat a session named .. as the parent. */
export function operationAt(method: string, pathname: string): Matched {
  const parts = pathname.split('/');
  for (const [name, route] of Object.entries(ROUTES)) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== parts.length) continue;
    const parameters: Record<string, string> = {};
    const fits = pattern.every((word, i) => {
      const part = parts[i] ?? '';
      if (!word.startsWith(':')) return word === part;
      parameters[word.slice(1)] = decoded(part);
      return true;
    });
    if (fits) return { name: name as OperationName, parameters };
  }
  throw new OutlastError('input_invalid', `there is no operation ${method} ${pathname}`);
}

/** Parses a query. A repeated name becomes a list. */
export function valuesOf(query: string | undefined): Record<string, unknown> {
  const given = new URLSearchParams(query);
  const said = (name: string): string | string[] => {
    const all = given.getAll(name);
    return all.length > 1 ? all : (all[0] ?? '');
  };
  const values = Object.fromEntries([...new Set(given.keys())].map((name) => [name, said(name)]));
  // The caller is an object, though all other values are strings.
  return typeof values.caller === 'string' ? { ...values, caller: fromJson(values.caller) } : values;
}

/** The object in a body. */
export function objectIn(body: string): Record<string, unknown> {
  try {
    const value: unknown = body === '' ? {} : JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below covers every body that is not an object.
  }
  throw new OutlastError('input_invalid', 'the body is not a JSON object');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new OutlastError('input_invalid', `the path has an invalid % escape: ${part}`);
  }
}

function fromJson(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}
