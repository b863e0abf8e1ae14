/** What starts the daemon with the machine, and again when it dies. */
export type Starter = 'systemd' | 'launchd' | 'cron';

/** What is known of this machine, its user and our own programs. Everything that is written follows from it. */
export interface Facts {
  readonly platform: string;
  readonly user: string;
  readonly uid: number;
  readonly home: string;
  /** Where the user's config is: XDG_CONFIG_HOME. */
  readonly configHome: string;
  readonly state: string;
  /** Ours alone among the state folders of this user; empty for the usual one. */
  readonly suffix: string;
  readonly node: string;
  readonly daemon: string;
  readonly cli: string;
  /** What the daemon is to have in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** systemd answers for this user; else in words why it does not. */
  readonly systemd: true | string;
  readonly lingers: boolean;
  /** Shows signals on the system bus to anybody. */
  readonly busMonitor: 'dbus-monitor' | 'gdbus' | null;
  readonly crontab: boolean;
}

/** What a caller wants. */
export interface Wish {
  readonly starter?: Starter | undefined;
  /** Units whose start is a reason to look for what was interrupted. */
  readonly after: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that an install writes and runs, and how it is undone. */
export interface Plan {
  readonly starter: Starter;
  readonly files: readonly PlannedFile[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Lines for the table of cron, between two marks of ours. */
  readonly table: string | null;
  readonly start: readonly Argv[];
  readonly stop: readonly Argv[];
  /** When all is removed. */
  readonly last: readonly Argv[];
  /** Is it there, and does it run? */
  readonly isActive: Argv | null;
  /** What brings up the daemon whenever a command needs it; null: the command does it itself. */
  readonly bring: Argv | null;
  /** What a person should know. */
  readonly says: readonly string[];
}

export type Argv = readonly [string, ...string[]];

/** The mark in every file of ours. A file without it is never overwritten or removed. */
export const MARK = 'Made by outlast service install; outlast service uninstall removes it.';
