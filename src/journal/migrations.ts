/** The schema of the database, one step after the other. A released step is never edited. */
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
  // The state of a session has more fields: it is rebuilt from its events when it is next read.
  `UPDATE sessions SET state = '';`,
  // Again: limits, usage and resumes are now counted.
  `UPDATE sessions SET state = '';`,
  // Again: answers, and the rules made from them.
  `UPDATE sessions SET state = '';`,
  // Again: remediation and visits are now stored.
  `UPDATE sessions SET state = '';`,
  // Usage, for sums by day. It outlives the events, so it cannot be rebuilt from them.
  `
  CREATE TABLE usage (
    at_ms   INTEGER NOT NULL,
    session TEXT    NOT NULL,
    name    TEXT,
    model   TEXT,
    turns   INTEGER NOT NULL,
    tokens  INTEGER NOT NULL,
    usd     REAL
  );
  CREATE INDEX usage_by_time ON usage (at_ms);
  INSERT INTO usage
  SELECT at_ms, session, (SELECT name FROM sessions WHERE id = session), NULL,
    turns - coalesce(lag(turns) OVER own, 0), tokens - coalesce(lag(tokens) OVER own, 0),
    usd - coalesce(lag(usd) OVER own, 0)
  FROM (
    SELECT session, seq, at_ms, body ->> '$.usage.turns' AS turns, body ->> '$.usage.tokens' AS tokens,
      body ->> '$.usage.usd' AS usd
    FROM events WHERE json_valid(body) AND body ->> '$.type' = 'usage.counted'
  )
  WINDOW own AS (PARTITION BY session ORDER BY seq);
  -- When each was last resumed after a fault: all of them together have a bound.
  ALTER TABLE sessions ADD COLUMN resumed_steady_ms INTEGER;
  CREATE INDEX sessions_by_resume ON sessions (resumed_steady_ms) WHERE resumed_steady_ms IS NOT NULL;
  UPDATE sessions SET state = '';
  `,
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
  // Again: owners and updates of their sessions.
  `UPDATE sessions SET state = '';`,
  // Again: updates that are staged for a turn.
  `UPDATE sessions SET state = '';`,
  // Finds a name, and continues reading one session, without touching the rows of others.
  `
  DROP INDEX sessions_by_name;
  CREATE INDEX sessions_by_name ON sessions (name, removed, live, id) WHERE name IS NOT NULL;
  -- Its last column is the position, as in every index.
  CREATE INDEX events_by_session ON events (session);
  `,
  // Again: who did something is an actor, not a string, and a session has parts.
  `UPDATE sessions SET state = '';`,
  // Again: updates, remediation and turn ids have new names. Events keep the old ones; stored-body.ts reads both.
  `UPDATE sessions SET state = '';`,
  // The sessions of one tree of owners are found without a look at all others.
  `
  ALTER TABLE sessions ADD COLUMN root TEXT;
  UPDATE sessions SET root = (
    SELECT body ->> '$.spec.owner.root' FROM events WHERE session = id AND seq = 1 AND json_valid(body)
  );
  -- The last change of owner; max() says of which row the other columns are.
  UPDATE sessions SET root = changed.root FROM (
    SELECT session, max(seq), body ->> '$.owner.root' AS root FROM events
    WHERE json_valid(body) AND body ->> '$.type' = 'owner.changed' GROUP BY session
  ) AS changed WHERE changed.session = id;
  CREATE INDEX sessions_by_root ON sessions (root) WHERE root IS NOT NULL;
  `,
  // Again: the updates for a session are a part of their own.
  `UPDATE sessions SET state = '';`,
  // Schedules. Their state is the truth: of the events, each keeps the newest ones.
  `
  CREATE TABLE schedules (
    id         TEXT PRIMARY KEY,
    seq        INTEGER NOT NULL,
    removed    INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE schedule_events (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    schedule TEXT    NOT NULL,
    seq      INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    UNIQUE (schedule, seq)
  );
  `,
  // Tokens by kind. Older rows, and agents that do not tell them apart, have none.
  `
  ALTER TABLE usage ADD COLUMN input INTEGER;
  ALTER TABLE usage ADD COLUMN output INTEGER;
  ALTER TABLE usage ADD COLUMN cache_read INTEGER;
  ALTER TABLE usage ADD COLUMN cache_write INTEGER;
  `,
];
