-- Sweeps over every stored citation, the alarms that rates ring, and what was checked as it came in.
--
-- Conventions as in 0001. Append-only. A citation of a part that has no finding is intact; what a sweep counts follows from its
-- parts and findings, and is kept nowhere else.

-- Sweeps. One that has no end was cancelled or killed, and goes on where it stopped.
CREATE TABLE sweeps (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    sweep_id    TEXT NOT NULL UNIQUE,
    kind        TEXT NOT NULL CHECK (kind IN ('baseline', 'after_reindex')),
    -- The day on which the registry was asked: yyyy-mm-dd.
    valid_at    TEXT NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);

-- A version of a document that a sweep is done with.
CREATE TABLE sweep_parts (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    sweep_id     TEXT NOT NULL REFERENCES sweeps (sweep_id),
    doc_id       TEXT NOT NULL,
    doc_sha256   TEXT NOT NULL,
    -- Its class in the registry; unregistered where it has none.
    family       TEXT NOT NULL,
    -- Citations of it, and those without a finding of which the registry knows nothing.
    checked      BIGINT NOT NULL,
    unregistered BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (sweep_id, doc_id, doc_sha256)
);

-- What a sweep says of a citation that is not simply intact.
CREATE TABLE sweep_findings (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    sweep_id    TEXT NOT NULL REFERENCES sweeps (sweep_id),
    doc_id      TEXT NOT NULL,
    doc_sha256  TEXT NOT NULL,
    -- A record's citation by its id, an answer's as ANSWER#CLAIM.PLACE.
    citation    TEXT NOT NULL,
    answer_id   TEXT,
    class       TEXT NOT NULL
        CHECK (class IN ('intact', 'carried', 'drifted', 'superseded', 'ambiguous', 'lost', 'unresolved')),
    -- Why it does not resolve.
    reason      TEXT,
    -- NULL where an earlier check failed.
    in_bounds   BOOLEAN,
    quote_match BOOLEAN,
    currency    TEXT NOT NULL CHECK (currency IN ('in_force', 'carried', 'replaced', 'not_in_force', 'unknown')),
    standing    TEXT NOT NULL,
    cited_start BIGINT,
    cited_end   BIGINT,
    -- Where the quote stands instead, in the layer of that name.
    found_layer TEXT,
    found_start BIGINT,
    found_end   BIGINT
);
CREATE INDEX sweep_findings_by_sweep ON sweep_findings (sweep_id, class, number);
CREATE INDEX sweep_findings_by_citation ON sweep_findings (citation, number);

-- The end of a sweep.
CREATE TABLE sweep_ends (
    sweep_id     TEXT PRIMARY KEY REFERENCES sweeps (sweep_id),
    -- How long its last go took.
    milliseconds BIGINT NOT NULL,
    -- Sentences of answers that claim something, and those of them without a citation.
    claims       BIGINT NOT NULL,
    uncited      BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

-- What was checked as it came: the quote looked for in the same bytes, and not found where it should be.
CREATE TABLE inline_checks (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    family      TEXT NOT NULL,
    checked     BIGINT NOT NULL,
    drifted     BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX inline_checks_by_time ON inline_checks (recorded_at);

-- Rates that passed their limit.
CREATE TABLE alarms (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    alarm_id    TEXT NOT NULL UNIQUE,
    kind        TEXT NOT NULL CHECK (kind IN ('inline', 'after_reindex', 'baseline')),
    family      TEXT NOT NULL,
    -- So many drifted of so many.
    drifted     BIGINT NOT NULL,
    checked     BIGINT NOT NULL,
    sweep_id    TEXT REFERENCES sweeps (sweep_id),
    recorded_at BIGINT NOT NULL
);

-- Somebody took note of one.
CREATE TABLE alarm_acknowledgements (
    alarm_id    TEXT PRIMARY KEY REFERENCES alarms (alarm_id),
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);

CREATE TRIGGER sweeps_stay BEFORE UPDATE ON sweeps
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweeps_remain BEFORE DELETE ON sweeps
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_parts_stay BEFORE UPDATE ON sweep_parts
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_parts_remain BEFORE DELETE ON sweep_parts
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_findings_stay BEFORE UPDATE ON sweep_findings
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_findings_remain BEFORE DELETE ON sweep_findings
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_ends_stay BEFORE UPDATE ON sweep_ends
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER sweep_ends_remain BEFORE DELETE ON sweep_ends
    BEGIN SELECT RAISE(ABORT, 'what a sweep found is append-only'); END;
CREATE TRIGGER inline_checks_stay BEFORE UPDATE ON inline_checks
    BEGIN SELECT RAISE(ABORT, 'what was checked is append-only'); END;
CREATE TRIGGER inline_checks_remain BEFORE DELETE ON inline_checks
    BEGIN SELECT RAISE(ABORT, 'what was checked is append-only'); END;
CREATE TRIGGER alarms_stay BEFORE UPDATE ON alarms
    BEGIN SELECT RAISE(ABORT, 'alarms are append-only'); END;
CREATE TRIGGER alarms_remain BEFORE DELETE ON alarms
    BEGIN SELECT RAISE(ABORT, 'alarms are append-only'); END;
CREATE TRIGGER alarm_acknowledgements_stay BEFORE UPDATE ON alarm_acknowledgements
    BEGIN SELECT RAISE(ABORT, 'alarms are append-only'); END;
CREATE TRIGGER alarm_acknowledgements_remain BEFORE DELETE ON alarm_acknowledgements
    BEGIN SELECT RAISE(ABORT, 'alarms are append-only'); END;
