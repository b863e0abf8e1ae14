import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { HandlerInput } from '../../api/contract.ts';
import { startInput } from '../../api/start-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder, syncFolder, writeDurably } from '../../base/files.ts';
import { isId } from '../../base/ids.ts';
import { causeText } from '../../base/system-errors.ts';
import type { Schedule, ScheduleId } from '../../core/schedule/schedule.ts';

// Each schedule has a folder: the start request, which has the environment of the caller and is for this user only, the
// images of its prompt, and its state, from which a lost journal gets it back.

type StartInput = HandlerInput<'session.start'>;

/** The folders of all schedules, for this user only. */
export class ScheduleFolders {
  readonly #folder: string;

  constructor(state: string) {
    this.#folder = join(state, 'schedules');
  }

  /** Keeps a start request, durably, with copies of its images. */
  keep(id: ScheduleId, request: StartInput): void {
    const folder = this.#of(id);
    makeFolder(folder);
    // It will not be known which process asked, and trust is in a file of its own.
    const { caller: _, key: __, ...kept } = request;
    const images = request.images.map((path, i) => this.#copy(join(folder, 'images', String(i)), path));
    writeDurably(join(folder, REQUEST), JSON.stringify({ ...kept, images }));
    syncFolder(this.#folder);
  }

  /** The start request of a schedule. */
  request(id: ScheduleId): StartInput {
    const path = join(this.#of(id), REQUEST);
    try {
      return startInput().parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (cause) {
      throw new OutlastError('schedule_failed', `cannot read ${path}: ${causeText(cause)}`, { cause });
    }
  }

  /** Keeps the state beside the journal. */
  mirror(schedule: Schedule): void {
    if (existsSync(this.#of(schedule.id))) writeDurably(join(this.#of(schedule.id), STATE), JSON.stringify(schedule));
  }

  /** The state beside the journal; null: there is none. */
  mirrored(id: ScheduleId): Schedule | null {
    try {
      return JSON.parse(readFileSync(join(this.#of(id), STATE), 'utf8')) as Schedule;
    } catch {
      return null;
    }
  }

  ids(): ScheduleId[] {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    return names.filter(isId).sort() as ScheduleId[];
  }

  remove(id: ScheduleId): void {
    rmSync(this.#of(id), { recursive: true, force: true });
  }

  #of(id: ScheduleId): string {
    return join(this.#folder, id);
  }

  #copy(folder: string, path: string): string {
    makeFolder(folder);
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    return copy;
  }
}

const REQUEST = 'request';
const STATE = 'state';
