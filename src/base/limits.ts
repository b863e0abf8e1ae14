/** Every limit in the product, with its unit and its reason. */
export const LIMITS = {
  /** One request body: a prompt of 1 MB and an environment fit, a mistake does not. */
  requestBytesMax: 8 * 1024 * 1024,
  /** Images of one prompt, one of them, and all together: more than any model takes at once. */
  imagesMax: 10,
  imageBytesMax: 20 * 1024 * 1024,
  imagesBytesMax: 50 * 1024 * 1024,
  /** Environment of one session; Linux itself stops at about 2 MB for argv and environment together. */
  environmentBytesMax: 1024 * 1024,
  /** Waiting to be read by a command on a pipe; more means that it does not read. */
  inputBytesMax: 1024 * 1024,
  /** One answer with output in it. The rest takes another call. */
  readBytesMax: 1024 * 1024,
  /**
   * Text that a poll returned and that was not acknowledged is withheld from other polls of the same name for this
   * long.
   */
  leaseMs: 30_000,
  /** How much of one run's output is kept by default. Beyond it the oldest is freed. */
  outputBytesMax: 256 * 1024 * 1024,
  /** Backups of the journal that are kept by default: a day of them. */
  backupsMax: 4,
  /** sockaddr_un holds 108 bytes; some systems 104. */
  socketPathBytesMax: 100,
  /** A tmux server that dies takes at most this many sessions with it. */
  tmuxSessionsMax: 16,
  /** Runs at once on this host, unless the config says otherwise. */
  runsMax: 500,
  /** Sessions looked at in parallel when the daemon starts. */
  bootLooksMax: 32,
  /** Events read from the journal at once by a reader. */
  feedEventsMax: 500,
  /** The interval of looks without a cause: the safety net behind notifications. */
  lookAgainMs: 10_000,
  /** From TERM to KILL when a session is stopped. */
  graceMs: 3_000,
  /** A process that survives SIGKILL for this long is stuck in the kernel; it is reported and checked again. */
  killMsMax: 5_000,
  /** The time limit for tmux and other short commands. */
  commandMsMax: 10_000,
  /** Columns and rows of a terminal by default. */
  columns: 120,
  rows: 30,
} as const;
