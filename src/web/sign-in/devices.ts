import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Grant } from '../../api/grants.ts';
import type { Clock } from '../../base/clock.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { writeDurably } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';
import { DISUSE } from './device-record.ts';
import { newSecret } from './secret.ts';

/** A browser that was signed in: its public key, and what it may do. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  /** Its public key, P-256, as SPKI in base64url. */
  readonly key: string;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
}

/** An unused device is forgotten after this time. */
const IDLE_MS_MAX = 30 * 24 * 3_600_000;
/** How often it is written down that a device was seen. */
const SEEN_MS = 60_000;
const DEVICES_MAX = 100;

/** The devices of the page, in one file of the state folder. While the server runs, nobody else writes it. */
export class Devices {
  /** Called with each device that may do nothing any more. */
  onGone: (device: Device, by: string) => void = () => {};
  readonly #file: string;
  readonly #clock: Clock;
  #all: readonly Device[];

  constructor(folder: string, clock: Clock) {
    this.#file = join(folder, 'devices.json');
    this.#clock = clock;
    this.#all = readDevices(this.#file);
  }

  /** All that may still do something, oldest first. */
  all(): readonly Device[] {
    const sinceMs = this.#clock.wallMs() - IDLE_MS_MAX;
    const idle = this.#all.filter(({ seenAtMs }) => seenAtMs < sinceMs);
    for (const { id } of idle) this.remove(id, DISUSE);
    return this.#all;
  }

  find(id: string): Device | null {
    return this.all().find((device) => device.id === id) ?? null;
  }

  add(given: Pick<Device, 'name' | 'grants' | 'key'>): Device {
    if (this.all().length >= DEVICES_MAX)
      throw new OutlastError('limit_reached', `there are ${DEVICES_MAX} devices already: revoke some`);
    const nowMs = this.#clock.wallMs();
    const names = new Set(this.#all.map(({ name }) => name));
    const name = freeName(given.name, names);
    const device = { ...given, name, id: newSecret().slice(0, 12), createdAtMs: nowMs, seenAtMs: nowMs };
    this.#write([...this.#all, device]);
    return device;
  }

  /** Removes one, and says who did; false: there is none. */
  remove(id: string, by: string): boolean {
    const gone = this.#all.find((device) => device.id === id);
    if (gone === undefined) return false;
    this.#write(this.#all.filter((device) => device.id !== id));
    this.onGone(gone, by);
    return true;
  }

  /** It was used just now. */
  seen(id: string): void {
    const nowMs = this.#clock.wallMs();
    const old = this.#all.find((device) => device.id === id);
    if (old === undefined || nowMs - old.seenAtMs < SEEN_MS) return;
    this.#write(this.#all.map((device) => (device.id === id ? { ...device, seenAtMs: nowMs } : device)));
  }

  #write(all: readonly Device[]): void {
    writeDurably(this.#file, `${JSON.stringify({ version: 1, devices: all }, null, 1)}\n`);
    this.#all = all;
  }
}

/** The device that a person means: by its id, the beginning of it, or its name. */
export function deviceMeant(all: readonly Device[], word: string): Device {
  const exact = all.find(({ id, name }) => id === word || name === word);
  const begun = all.filter(({ id }) => word.length >= 4 && id.startsWith(word));
  const found = exact ?? (begun.length === 1 ? begun[0] : undefined);
  if (found !== undefined) return found;
  throw new OutlastError('input_invalid', `there is no device "${word}"; see \`outlast web devices\``);
}

function readDevices(file: string): readonly Device[] {
  try {
    const { version, devices } = JSON.parse(readFileSync(file, 'utf8')) as { version: number; devices: Device[] };
    if (version === 1 && Array.isArray(devices)) return devices;
    throw new Error(`its version is ${version}`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    const why = causeText(error);
    throw new OutlastError('state_unusable', `cannot read the devices of the web page in ${file}: ${why}`);
  }
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(tried)) return tried;
  }
}
