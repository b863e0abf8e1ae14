import { fs } from '../../client/node.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folders of a user in which something of ours may be. */
export interface Places {
  readonly env: Environment;
  readonly home: string;
  /** XDG_CONFIG_HOME, XDG_CACHE_HOME and XDG_DATA_HOME. */
  readonly config: string;
  readonly cache: string;
  readonly data: string;
  readonly state: string;
  /** The folder of this installation. */
  readonly program: string;
}

/** Something that Outlast, or a person who followed its guides, put on this machine. */
export interface Found {
  readonly kind: 'service' | 'shell' | 'agent' | 'node' | 'cache' | 'config' | 'state';
  /** A path, or what it is. */
  readonly what: string;
  /** Removes it; null: it stays. */
  readonly remove: (() => void) | null;
  /** Why it stays, and what a person can do. */
  readonly stays?: string;
}

/** The text of a file; null when it cannot be read. */
export function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The names in a folder; none when it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** The object in a JSON file; empty when there is none. */
export function readJson(file: string): Record<string, unknown> {
  try {
    const found = JSON.parse(readText(file) ?? '{}');
    return isObject(found) ? found : {};
  } catch {
    return {};
  }
}

/** Is this an object of JSON, and no list? */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes a folder only when nothing is left in it. */
export function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // It has other files, or is gone.
  }
}
