import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';
import type { Config, NoticeConfig } from '../config/schema.ts';
import { findDesktop } from './desktop.ts';
import { NoticeReader, type ReaderParts } from './reader.ts';
import { Reads } from './reads.ts';
import { type Sent, send } from './routes.ts';
import { ShellAnnouncer, type ShellParts } from './shells.ts';
import { type NewDevice, tellDevice } from './tell-device.ts';
import { testItem } from './test-item.ts';

/** The dependencies of the notices. */
export interface NoticeParts extends Omit<ReaderParts, 'reads' | 'cut' | 'canTell' | 'config'> {
  readonly journal: ShellParts['journal'];
  readonly config: Pick<Config, 'notices' | 'state' | 'announce' | 'quietHours'>;
}

/** All notices of a running daemon. */
export interface Notices {
  /** Ends all readers. A running delivery gets a moment to finish; otherwise it is repeated later. */
  stop(): Promise<void>;
  /** The notices of the config. */
  status(): NoticeStatus[];
  /** How many items each notice of the config has delivered since the daemon started, by name. */
  sent(): ReadonlyMap<string, number>;
  /** True when every notice of the config for this position was delivered. */
  delivered(position: number): boolean;
  /** The notices that are sent now: those of the config, or without any the one for the desktop. */
  current(): readonly NoticeConfig[];
  /** Replaces the notices. Those that stay continue from their positions. */
  use(notices: readonly NoticeConfig[]): Promise<void>;
  /** Sends a test message to one of them, once. */
  test(notice: NoticeConfig): Promise<Sent>;
  /** Tells people that a browser signed in to the web page. */
  signedIn(device: NewDevice): void;
  /** Records that a caller has read the events of a session up to this position. */
  read(session: SessionId, position: number): void;
}

/** The status of one notice. */
export interface NoticeStatus {
  readonly name: string;
  /** Events that it has not handled yet. */
  readonly behind: number;
  /** Items that were given up since the daemon started. */
  readonly failed: number;
  /** The error of the last failed try. */
  readonly lastError: string | null;
  /** When it last delivered something, wall time; null: not since the daemon started. */
  readonly deliveredAtMs: number | null;
}

const STOP_MS_MAX = 1_000;
const TEST_MS = 30_000;
/** The key of the names that had a reader when the daemon last started. */
const KNOWN = 'notices';

/** For a machine with a desktop and a config without notices. It is best effort, so it is tried once. */
const FOR_DESKTOP: NoticeConfig = {
  name: 'desktop',
  on: ['announced'],
  route: { kind: 'desktop' },
  triesMax: 1,
  timeoutMs: 10_000,
  gapMs: 5_000,
  quiet: true,
};

/** Starts one reader for each notice in the config, and one for the shells of people. */
export function startNotices(parts: NoticeParts): Notices {
  const { clock, config, journal } = parts;
  const reads = new Reads();
  const stopping = new AbortController();
  const telling = new Set<Promise<void>>();
  const shells = config.announce.shell === 'on' ? new ShellAnnouncer({ ...parts, state: config.state, reads }) : null;
  let running = startReaders({ ...parts, reads }, config.notices);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([running.stop(), shells?.stop(), ...telling]);
    },
    status: () =>
      running.configured.map(({ notice, follower, failed, lastError, deliveredAtMs }) => {
        const behind = Math.max(0, journal.head() - follower.position);
        return { name: notice.name, behind, failed, lastError, deliveredAtMs };
      }),
    sent: () => new Map(running.configured.map(({ notice, sent }) => [notice.name, sent])),
    delivered: (position) => running.configured.every(({ follower }) => follower.position >= position),
    current: () => running.all.map(({ notice }) => notice),
    async use(notices) {
      await running.stop();
      running = startReaders({ ...parts, reads }, notices);
    },
    test: (notice) => sendTest(notice, clock),
    signedIn(device) {
      const notices = running.all.map(({ notice }) => notice);
      const told = tellDevice(parts, notices, device, stopping.signal).finally(() => telling.delete(told));
      telling.add(told);
    },
    read(session, position) {
      reads.note(session, position);
      shells?.read(session, position);
    },
  };
}

/** A person waits for it, and the first contact with a service may be slow. */
function sendTest(notice: NoticeConfig, clock: Clock): Promise<Sent> {
  const patient = { ...notice, timeoutMs: Math.max(notice.timeoutMs, TEST_MS) };
  return send(patient, testItem(notice.name, clock.wallMs()), clock, new AbortController().signal);
}

interface Running {
  /** The readers of the notices in the config. */
  readonly configured: readonly NoticeReader[];
  /** With the reader for the desktop. */
  readonly all: readonly NoticeReader[];
  stop(): Promise<void>;
}

function startReaders(parts: NoticeParts & { reads: Reads }, notices: readonly NoticeConfig[]): Running {
  const { clock, config } = parts;
  const cut = new AbortController();
  const configured = openReaders({ ...parts, cut: cut.signal }, notices);
  const forDesktop = notices.length === 0 && config.announce.desktop === 'auto' ? openDesktop(parts, cut.signal) : [];
  const all = [...configured, ...forDesktop];
  const loops = Promise.all(all.map(({ follower }) => follower.run()));
  return {
    configured,
    all,
    async stop() {
      for (const { follower } of all) follower.stop();
      await orLate(clock, loops);
      cut.abort();
      await loops;
    },
  };
}

async function orLate(clock: Clock, loops: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([loops, clock.sleep(STOP_MS_MAX, timeout.signal)]);
  timeout.abort();
}

function openReaders(parts: ReaderParts, notices: readonly NoticeConfig[]): NoticeReader[] {
  const { journal } = parts;
  const known = new Set((journal.fact(KNOWN) ?? '').split(' '));
  // A new notice starts at the current position, not at the first event. So does one that was removed and came back.
  const readers = notices.map((notice) => new NoticeReader(parts, notice, !known.has(notice.name)));
  const names = notices.map((notice) => notice.name).join(' ');
  if (names !== (journal.fact(KNOWN) ?? '')) journal.saveFact(KNOWN, names);
  return readers;
}

/** What happened while no daemon ran is not news on a desktop, so it always begins at the current position. */
function openDesktop(parts: NoticeParts & { reads: Reads }, cut: AbortSignal): NoticeReader[] {
  const canTell = async (): Promise<boolean> => (await findDesktop(parts.clock)).is;
  return [new NoticeReader({ ...parts, cut, canTell }, FOR_DESKTOP, true)];
}
