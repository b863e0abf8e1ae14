import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Grant } from '../../api/grants.ts';
import type { Clock } from '../../base/clock.ts';
import type { Outlast } from '../../client/browser.ts';
import type { Device, Live, LiveState, Observed } from '../live/types.ts';
import { STRINGS } from '../words/strings.ts';
import { Drafts } from './drafts.ts';
import { Fleet } from './fleet.ts';
import { needing } from './grouping.ts';
import { Inbox } from './inbox.ts';
import { JournalWatch } from './journal.ts';
import { addressOf, type Route, routeOf } from './route.ts';
import { Settings } from './settings.ts';

/** A short message about what was done or failed. */
export interface Toast {
  readonly text: string;
  readonly isError: boolean;
}

/** What is open above the page. */
export type Overlay = 'palette' | 'keys' | 'more' | null;

const TOAST_MS = 5_000;
const TICK_MS = 1_000;

/** Everything that the parts of the page share. */
export class App {
  readonly live: Live;
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly inbox: Inbox;
  readonly journal = new JournalWatch();
  readonly drafts: Drafts;
  readonly settings: Settings;
  readonly route: Signal<Route>;
  readonly state: ReadonlySignal<LiveState>;
  readonly device: ReadonlySignal<Device | null>;
  readonly toast: Signal<Toast | null> = signal(null);
  readonly overlay: Signal<Overlay> = signal(null);
  /** The server has a newer version of this page. */
  readonly hasUpdate: Signal<boolean> = signal(false);
  /** The time of day; it moves once a second while the page is seen. */
  readonly nowMs: Signal<number>;
  /** The sessions that need a person, the longest wait first. */
  readonly needs = computed(() => needing(this.fleet.known.value.rows.values()));

  constructor(live: Live, clock: Clock) {
    this.live = live;
    this.clock = clock;
    this.fleet = new Fleet(clock);
    this.inbox = new Inbox(clock);
    this.drafts = new Drafts(localStorage);
    this.settings = new Settings(localStorage);
    this.route = signal(routeOf(location.hash));
    this.state = observed(live.state);
    this.device = observed(live.device);
    this.nowMs = signal(clock.wallMs());
  }

  get outlast(): Outlast {
    return this.live.outlast;
  }

  /** Does this browser have this grant? The server checks it again; the page does not offer what would be refused. */
  may(grant: Grant): boolean {
    return this.device.value?.grants.includes(grant) ?? false;
  }

  /** Begins to follow what happens, whenever this browser is signed in. */
  run(): void {
    addEventListener('hashchange', () => {
      this.route.value = routeOf(location.hash);
    });
    void this.#tick();
    this.live.newcomer.subscribe((device) => {
      if (device !== null) this.tell(STRINGS.signIn.newcomer(device.name));
    });
    this.journal.follow(this.outlast, this.state, () => this.tell(STRINGS.connection.restored));
    const isIn = computed(() => this.state.value.is !== 'signed out');
    let leaving: AbortController | null = null;
    effect(() => {
      if (!isIn.value) return leaving?.abort();
      const ours = new AbortController();
      leaving = ours;
      // What they read must not start them again.
      untracked(() => {
        void this.fleet.follow(this.outlast, ours.signal);
        void this.inbox.follow(this.outlast, ours.signal);
      });
    });
  }

  /** Goes to a place. */
  go(route: Route, how: 'push' | 'replace' = 'push'): void {
    const address = addressOf(route);
    if (location.hash === address) return;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    this.route.value = route;
  }

  /** Shows a message for a while. */
  tell(text: string, isError = false): void {
    const toast = { text, isError };
    this.toast.value = toast;
    void this.clock.sleep(TOAST_MS).then(() => {
      if (this.toast.value === toast) this.toast.value = null;
    });
  }

  /** Does something; a failure is told. Returns whether it went well. */
  async perform(what: string, work: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await work();
      if (done !== undefined) this.tell(done);
      return true;
    } catch (error) {
      this.tell(`${what}: ${error instanceof Error ? error.message : String(error)}`, true);
      return false;
    }
  }

  async #tick(): Promise<void> {
    for (;;) {
      if (document.visibilityState === 'visible') this.nowMs.value = this.clock.wallMs();
      await this.clock.sleep(TICK_MS);
    }
  }
}

function observed<T>(from: Observed<T>): ReadonlySignal<T> {
  const to = signal(from.value);
  from.subscribe((value) => {
    to.value = value;
  });
  return to;
}

export const AppContext = createContext<App | null>(null);

/** What the parts of the page share. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('there is no page around this part');
  return app;
}
