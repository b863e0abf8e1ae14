/** What starts the daemon at boot, and again when it dies. */
export type Starter = 'systemd' | 'launchd' | 'cron';

/** The facts about this machine, its user and our own programs. Everything that is written follows from them. */
export interface Facts {
  readonly platform: string;
  readonly user: string;
  readonly uid: number;
  readonly home: string;
  /** The user's config folder: XDG_CONFIG_HOME. */
  readonly configHome: string;
  readonly state: string;
  /** Distinguishes the state folders of this user; empty for the default one. */
  readonly suffix: string;
  readonly node: string;
  readonly daemon: string;
  readonly cli: string;
  /** The environment of the daemon. */
  readonly env: Readonly<Record<string, string>>;
  /** true: systemd answers for this user; else why it does not. */
  readonly systemd: true | string;
  readonly lingers: boolean;
  /** A program that shows signals on the system bus without privileges. */
  readonly busMonitor: 'dbus-monitor' | 'gdbus' | null;
  readonly crontab: boolean;
  /** The machine has IPv6. */
  readonly ipv6: boolean;
  /** The port of the web page. */
  readonly webPort: number;
}

/** What a caller wants. */
export interface ServiceOptions {
  readonly starter?: Starter | undefined;
  /** Units whose start triggers a scan for interrupted conversations. */
  readonly after: readonly string[];
  /** Names by which proxies lead to the web page, which is served too; null: it is not. */
  readonly web?: readonly string[] | null;
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
  /** Lines for the crontab, between two marker lines. */
  readonly table: string | null;
  readonly start: readonly Argv[];
  readonly stop: readonly Argv[];
  /** Commands for when all is removed. */
  readonly last: readonly Argv[];
  /** The command that checks whether it is installed and running. */
  readonly isActive: Argv | null;
  /** The command that starts the daemon when another command needs it; null: that command starts it itself. */
  readonly bring: Argv | null;
  /** What a person should know. */
  readonly says: readonly string[];
}

export type Argv = readonly [string, ...string[]];

/** The marker in every file of ours. A file without it is never overwritten or removed. */
export const MARK = 'Made by outlast service install; outlast service uninstall removes it.';
