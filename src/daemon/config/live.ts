import { statSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { configFile, type Env, readSettings, type Settings } from './config.ts';
import type { Config } from './schema.ts';
import { appliesOf, TOP_KEYS, type TopKey } from './shape.ts';

/** How the config that a daemon uses differs from the file. */
export interface ConfigState {
  readonly file: string;
  /** When the config in use was read, wall time. */
  readonly readAtMs: number;
  /** Why the file cannot be used now; null: it can. The daemon goes on with what it has. */
  readonly fault: string | null;
  /** Keys that a reload would change. */
  readonly unread: readonly TopKey[];
  /** Keys that change when the daemon starts again. */
  readonly waiting: readonly TopKey[];
}

/** The result of a reload. */
export interface Reloaded extends ConfigState {
  /** Keys that have changed with it. */
  readonly changed: readonly TopKey[];
}

/** What a reader of the config does after a reload. */
type OnChange = (changed: readonly TopKey[]) => void;

/**
 * The config of a running daemon. `config` always has the values in use: a part that reads a key when it needs it sees
 * the new value after a reload. A file with a mistake changes nothing.
 */
export class LiveConfig {
  /** The values in use. */
  readonly config: Config;
  readonly #env: Env;
  readonly #clock: Clock;
  readonly #listeners: OnChange[] = [];
  #used: Settings;
  #inUse: Config;
  #readAtMs: number;
  #looked: { readonly signature: string; readonly found: Settings | OutlastError };

  constructor(settings: Settings, env: Env, clock: Clock) {
    this.#env = env;
    this.#clock = clock;
    this.#used = settings;
    this.#inUse = settings.config;
    this.#readAtMs = clock.wallMs();
    // The file may have changed since it was read: the first look reads it again.
    this.#looked = { signature: '', found: settings };
    this.config = viewOf(() => this.#inUse);
  }

  /** The settings in use, with their origins. */
  get settings(): Settings {
    return { ...this.#used, config: this.#inUse };
  }

  /** Calls back after each reload that changed something. */
  onChange(listener: OnChange): void {
    this.#listeners.push(listener);
  }

  /** Compares what is in use with the file as it is now. */
  state(): ConfigState {
    const found = this.#look();
    const isBroken = found instanceof OutlastError;
    const differ = isBroken ? [] : TOP_KEYS.filter((key) => !isSame(found.config[key], this.#inUse[key]));
    return {
      file: configFile(this.#env),
      readAtMs: this.#readAtMs,
      fault: isBroken ? found.message : null,
      unread: differ.filter((key) => appliesOf(key) === 'at once'),
      waiting: differ.filter((key) => appliesOf(key) === 'next start'),
    };
  }

  /** Reads the file, and uses what needs no new start. Throws when it has a mistake, and changes nothing. */
  reload(): Reloaded {
    this.#looked = { ...this.#looked, signature: '' };
    const found = this.#look();
    if (found instanceof OutlastError) throw found;
    const changed = this.state().unread;
    const kept = TOP_KEYS.filter((key) => appliesOf(key) === 'next start').map((key) => [key, this.#inUse[key]]);
    this.#inUse = Object.freeze({ ...found.config, ...Object.fromEntries(kept) }) as Config;
    this.#used = originsKept(found, this.#used);
    this.#readAtMs = this.#clock.wallMs();
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
    return { ...this.state(), changed };
  }

  /** Uses one key of the file that its caller has just written. A file with a mistake changes nothing. */
  take(key: TopKey): void {
    const found = this.#look();
    if (found instanceof OutlastError) return;
    const before = this.#used;
    this.#inUse = Object.freeze({ ...this.#inUse, [key]: found.config[key] });
    this.#used = { ...before, origin: (path) => (path[0] === key ? found : before).origin(path) };
  }

  /** What the file says now; it is read only when it has changed. */
  #look(): Settings | OutlastError {
    const signature = signatureOf(configFile(this.#env));
    if (signature !== this.#looked.signature) this.#looked = { signature, found: readAgain(this.#env) };
    return this.#looked.found;
  }
}

/** An object whose keys have the values in use. */
function viewOf(current: () => Config): Config {
  const view = {};
  for (const key of TOP_KEYS) Object.defineProperty(view, key, { enumerable: true, get: () => current()[key] });
  return Object.freeze(view) as Config;
}

/** A key that waits for the next start has its old value, from where that came. */
function originsKept(found: Settings, used: Settings): Settings {
  return {
    ...found,
    origin: (path) => (appliesOf(path[0] as TopKey) === 'next start' ? used : found).origin(path),
  };
}

function readAgain(env: Env): Settings | OutlastError {
  try {
    return readSettings(env);
  } catch (error) {
    if (error instanceof OutlastError) return error;
    throw error;
  }
}

function signatureOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return errnoOf(error);
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
