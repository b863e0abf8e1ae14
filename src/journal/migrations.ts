/** The shape of the database, one step after the other. A step that was released is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE events (
    position  INTEGER PRIMARY KEY AUTOINCREMENT,
    session   TEXT    NOT NULL,
    seq       INTEGER NOT NULL,
    at_ms     INTEGER NOT NULL,
    steady_ms INTEGER NOT NULL,
    cause     TEXT,
    body      TEXT    NOT NULL,
    crc       INTEGER NOT NULL,
    UNIQUE (session, seq)
  );
  -- Every input that was ever taken, also those that brought nothing.
  CREATE TABLE inputs (id TEXT PRIMARY KEY, session TEXT NOT NULL) WITHOUT ROWID;
  -- The projection for list and show. It can be made again from the events.
  CREATE TABLE sessions (
    id            TEXT PRIMARY KEY,
    name          TEXT,
    live          INTEGER NOT NULL,
    removed       INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    position      INTEGER NOT NULL,
    unreadable_at INTEGER,
    state         TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_state ON sessions (removed, live, id);
  CREATE INDEX sessions_by_name ON sessions (name, live, id) WHERE name IS NOT NULL;
  CREATE TABLE cursors (reader TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- Records that could not be read, kept aside for a person.
  CREATE TABLE quarantine (position INTEGER PRIMARY KEY, session TEXT NOT NULL, body BLOB NOT NULL);
  `,
  // A session holds more than it did: its line is made again from its events when it is next read.
  `UPDATE sessions SET state = '';`,
  // Again: limits, use and resumes are counted since.
  `UPDATE sessions SET state = '';`,
  // Again: answers and the rules that were made of them.
  `UPDATE sessions SET state = '';`,
  `
  -- Every decision about a tool call. Each row has the hash of the one before it; none is ever deleted.
  CREATE TABLE audit (
    number   INTEGER PRIMARY KEY,
    at_ms    INTEGER NOT NULL,
    session  TEXT    NOT NULL,
    approval TEXT,
    record   TEXT    NOT NULL,
    prev     TEXT    NOT NULL,
    hash     TEXT    NOT NULL
  );
  CREATE INDEX audit_by_approval ON audit (approval) WHERE approval IS NOT NULL;
  `,
];
