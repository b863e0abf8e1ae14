// What the page sees of its connection to the server. Nothing here knows how it is drawn.
import type { Grant } from '../../api/grants.ts';
import type { DeviceView as Device, LinkView as Link, ListedDevice } from '../../api/page-shape.ts';
import type { RunView as Run } from '../../api/screen-shape.ts';
import type { Outlast } from '../../client/browser.ts';

/** A value that changes, and a way to be told. A signal can be made from it in one line. */
export interface Observed<T> {
  readonly value: T;
  /** Calls the listener with each new value; returns what ends that. It is not called with the present one. */
  subscribe(listener: (value: T) => void): () => void;
}

/**
 * The connection. `connecting`: the page was just opened. `catching up`: connected again, and streams that were open
 * have not sent everything that happened meanwhile. `offline`: the server does not answer. `daemon away`: the server
 * answers, the daemon behind it does not. `signed out`: this browser has no key, was opened with
 * a link that was used or has expired, or its device was revoked.
 */
export type LiveState =
  | { readonly is: 'connecting' | 'live' | 'catching up' }
  /** Since this wall time. */
  | { readonly is: 'offline' | 'daemon away'; readonly sinceMs: number }
  | { readonly is: 'signed out'; readonly why: 'no key' | 'link spent' | 'revoked' };

export type { DeviceView as Device, LinkView as Link, ListedDevice } from '../../api/page-shape.ts';

/** Raw output. `skip`: the reader was so far behind that these bytes were left out; a new screen follows. */
export type OutputPiece =
  | { readonly is: 'bytes'; readonly from: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly is: 'skip'; readonly from: number; readonly to: number }
  | { readonly is: 'end' };

export type { RunView as Run } from '../../api/screen-shape.ts';

/** What a terminal shows. */
export interface StyledScreen {
  readonly columns: number;
  readonly rows: readonly (readonly Run[])[];
  /** Null: it is hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | null;
  /** How many rows above the screen the terminal still has. */
  readonly history: number;
  /** What arrow keys and the keypad send. */
  readonly isCursorApplication: boolean;
  readonly isKeypadApplication: boolean;
  /** The output up to this byte is on it. */
  readonly offset: number;
  /** More was printed since the screen before than anybody could have seen; these bytes can be read. */
  readonly skipped: { readonly from: number; readonly to: number } | null;
}

/** Control of a terminal, from this tab. What is typed is numbered, sent once, and said to be taken. */
export interface Control {
  /** Changes of the size are made in its name, and end with it. */
  readonly id: string;
  /** The number of the next input, and how many of them were typed. */
  readonly sent: Observed<number>;
  readonly taken: Observed<number>;
  /** Resolves when the run has ended; rejects when control was lost. */
  readonly over: Promise<void>;
  type(bytes: Uint8Array): void;
  paste(text: string): void;
}

/** The connection of one tab. */
export interface Live {
  /** The SDK. Its calls are HTTP, its streams are channels of one socket; they survive the server and the daemon. */
  readonly outlast: Outlast;
  readonly state: Observed<LiveState>;
  /** This browser; null: signed out. */
  readonly device: Observed<Device | null>;
  /** The browser that was signed in last, while this page was open: a person should know about it. */
  readonly newcomer: Observed<Device | null>;
  /**
   * Exchanges the code of a link for a key of this browser. Rejects with an `OutlastError`: `link_spent` when the code
   * was used, has expired or is wrong. A link that leads to the page does this by itself.
   */
  signIn(code: string): Promise<Device>;
  /** Deletes the key of this browser, here and on the server. */
  signOut(): Promise<void>;
  /** All devices; only this one without the grant `admin`. */
  devices(): Promise<readonly ListedDevice[]>;
  /** Revokes a device: its connections end at once. Another device than this one needs the grant `admin`. */
  revoke(id: string): Promise<void>;
  /** Makes a one-time link; needs the grant `admin`. It never gives more than this device has. At most 5 minutes. */
  link(grants: readonly Grant[], ms?: number): Promise<Link>;
  /**
   * The screen of a session, now and after each change; it ends with the session. A reader that is slow gets fewer
   * screens, always the last one.
   */
  screens(session: string, signal?: AbortSignal): AsyncGenerator<StyledScreen, void, void>;
  /**
   * Raw output from an offset until the session ends. It continues after a lost connection, without a gap or a byte
   * twice. With `skipBytes`, a reader that is further behind gets a `skip`.
   */
  output(
    session: string,
    options: { readonly from: number; readonly skipBytes?: number },
    signal?: AbortSignal,
  ): AsyncGenerator<OutputPiece, void, void>;
  /** Takes control of a terminal, until the signal fires or the connection is lost. */
  control(session: string, signal: AbortSignal): Promise<Control>;
  /** Tries to connect at once, instead of after the pause. */
  retry(): void;
  close(): void;
}
