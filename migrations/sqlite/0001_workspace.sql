-- The whole of a workspace, from the start in the shapes that later work stands on.
--
-- Conventions, the same on both databases:
--   * times are milliseconds since 1970 UTC (BIGINT): they sort, and no zone is lost, since audit entries keep theirs;
--   * text that comes from documents or people's typing is bytes (BLOB): a layer may hold anything, and what is bytes
--     can be erased without a trace in an index;
--   * ids are text; hashes are 64 lower-case hexadecimal digits;
--   * what is append-only says so with a trigger. Rows that do change (items, assignments) carry a version or a token.

CREATE TABLE workspace (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- The logical thing, whose revisions share one id.
CREATE TABLE documents (
    doc_id      TEXT PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- Bytes kept in the blob folder under their hash. Two documents may rest on the same bytes.
CREATE TABLE blobs (
    sha256      TEXT PRIMARY KEY,
    bytes       BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL
);

CREATE TABLE versions (
    doc_id      TEXT NOT NULL REFERENCES documents (doc_id),
    doc_sha256  TEXT NOT NULL REFERENCES blobs (sha256),
    media_type  TEXT NOT NULL,
    -- as these bytes say it: revisions of one document may call themselves differently
    title       BLOB NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_id, doc_sha256)
);
CREATE INDEX versions_by_bytes ON versions (doc_sha256);

-- A path that a version was read from. Two copies in two folders are two sources.
CREATE TABLE sources (
    doc_id      TEXT NOT NULL,
    doc_sha256  TEXT NOT NULL,
    path        BLOB NOT NULL,
    recorded_at BIGINT NOT NULL,
    PRIMARY KEY (doc_id, doc_sha256, path),
    FOREIGN KEY (doc_id, doc_sha256) REFERENCES versions (doc_id, doc_sha256)
);

-- The exact code points one extractor read, named by the hash of their UTF-8 bytes.
CREATE TABLE layers (
    layer_sha256 TEXT PRIMARY KEY,
    text         BLOB NOT NULL,
    chars        BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL
);

-- What an extractor found in some bytes: the layer, and the boxes, page sizes and trust figures that belong to the
-- bytes and not to the text (two scans may read alike).
CREATE TABLE extractions (
    doc_sha256   TEXT NOT NULL REFERENCES blobs (sha256),
    extractor    TEXT NOT NULL,
    layer_sha256 TEXT NOT NULL REFERENCES layers (layer_sha256),
    boxes        BLOB NOT NULL,
    pages        BLOB NOT NULL,
    boxed        BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, extractor)
);

-- Which extraction speaks for some bytes where a citation names none: the last row does.
CREATE TABLE default_extractions (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_sha256  TEXT NOT NULL,
    extractor   TEXT NOT NULL,
    recorded_at BIGINT NOT NULL,
    FOREIGN KEY (doc_sha256, extractor) REFERENCES extractions (doc_sha256, extractor)
);
CREATE INDEX default_extractions_by_bytes ON default_extractions (doc_sha256, number);

-- Sections, locators and tables that one version of the parser found in one layer (of some bytes: it saw their boxes
-- and outline too). Named by the hash of its content.
CREATE TABLE structures (
    structure_id TEXT NOT NULL,
    doc_sha256   TEXT NOT NULL REFERENCES blobs (sha256),
    layer_sha256 TEXT NOT NULL REFERENCES layers (layer_sha256),
    parser       TEXT NOT NULL,
    content      BLOB NOT NULL,
    recorded_at  BIGINT NOT NULL,
    PRIMARY KEY (doc_sha256, structure_id)
);

-- The field catalogue, every one that was ever set; the last row is in use.
CREATE TABLE catalogues (
    number           INTEGER PRIMARY KEY AUTOINCREMENT,
    catalogue_sha256 TEXT NOT NULL,
    body             BLOB NOT NULL,
    recorded_at      BIGINT NOT NULL
);

-- What changes while people work: audit shares, floors, lease length. The last row of a name is in use.
CREATE TABLE settings (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL,
    value       TEXT NOT NULL,
    why         BLOB NOT NULL,
    who         TEXT NOT NULL,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX settings_by_name ON settings (name, number);

CREATE TABLE thresholds (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    field          TEXT NOT NULL,
    model          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    tau_show       DOUBLE PRECISION NOT NULL,
    tau_flag       DOUBLE PRECISION NOT NULL,
    -- the curve it was chosen on, as it stood
    curve          BLOB NOT NULL,
    why            BLOB NOT NULL,
    who            TEXT NOT NULL,
    recorded_at    BIGINT NOT NULL,
    CHECK (tau_show >= tau_flag)
);
CREATE INDEX thresholds_by_field ON thresholds (field, number);

CREATE TABLE reviewers (
    name        TEXT PRIMARY KEY,
    recorded_at BIGINT NOT NULL
);

-- Candidates: every record that was imported, queued or not.
CREATE TABLE records (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id      TEXT NOT NULL UNIQUE,
    -- the hash of the line's meaning, so that the same record twice is the same record
    body_sha256    TEXT NOT NULL,
    doc_id         TEXT NOT NULL,
    doc_sha256     TEXT NOT NULL,
    field          TEXT NOT NULL,
    status         TEXT NOT NULL,
    model          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    -- NULL where the record gave none or none that is a number
    confidence     DOUBLE PRECISION,
    violated       BOOLEAN NOT NULL,
    body           BLOB NOT NULL,
    recorded_at    BIGINT NOT NULL
);
CREATE INDEX records_by_place ON records (doc_id, doc_sha256, field, number);
CREATE INDEX records_by_curve ON records (field, model, prompt_version);

CREATE TABLE citations (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    citation_id  TEXT NOT NULL UNIQUE,
    record_id    TEXT REFERENCES records (record_id),
    ordinal      BIGINT NOT NULL,
    doc_id       TEXT NOT NULL,
    doc_sha256   TEXT NOT NULL,
    layer_sha256 TEXT,
    structure_id TEXT,
    locator      BLOB,
    page         BIGINT,
    char_start   BIGINT,
    char_end     BIGINT,
    quote        BLOB NOT NULL,
    prefix       BLOB,
    suffix       BLOB,
    -- whether Pincite filled the offsets in
    placed       BOOLEAN NOT NULL,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX citations_by_record ON citations (record_id, ordinal);
CREATE INDEX citations_by_bytes ON citations (doc_sha256, number);

-- What the check of a citation said, each time it was run for the record.
CREATE TABLE citation_checks (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    citation_id TEXT NOT NULL REFERENCES citations (citation_id),
    state       TEXT NOT NULL CHECK (state IN ('verified', 'failed')),
    reason      TEXT,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX citation_checks_by_citation ON citation_checks (citation_id, number);

-- What was done with each record, and the share its draw was held against. A record routed again gets another row.
CREATE TABLE routing_log (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id   TEXT NOT NULL REFERENCES records (record_id),
    outcome     TEXT NOT NULL CHECK (outcome IN ('shown', 'flagged', 'queued', 'abstained')),
    reason      TEXT,
    -- show, flag or abstain: what it would be without the draw
    stratum     TEXT,
    share       DOUBLE PRECISION,
    draw        DOUBLE PRECISION,
    recorded_at BIGINT NOT NULL
);
CREATE INDEX routing_log_by_record ON routing_log (record_id, number);

-- One item a field of a version, however often it is extracted.
CREATE TABLE items (
    item_id      TEXT PRIMARY KEY,
    doc_id       TEXT NOT NULL,
    doc_sha256   TEXT NOT NULL,
    field        TEXT NOT NULL,
    -- the candidate that opened it
    record_id    TEXT NOT NULL REFERENCES records (record_id),
    reason       TEXT NOT NULL CHECK (reason IN
                 ('schema_violation', 'conflicting', 'unverified_citation', 'low_confidence', 'sample_audit')),
    hard         BOOLEAN NOT NULL,
    due_at       BIGINT,
    -- due_at, or the largest number where there is none: one index gives the order of the queue
    due_order    BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'decided')),
    item_version BIGINT NOT NULL,
    -- how often it was leased: the next lease's fencing token is one more
    leases       BIGINT NOT NULL,
    recorded_at  BIGINT NOT NULL,
    UNIQUE (doc_id, doc_sha256, field)
);
CREATE INDEX items_in_order ON items (state, hard DESC, due_order, created_at, item_id);

-- Who works on an item, in which round. The lease is on this.
CREATE TABLE assignments (
    assignment_id TEXT PRIMARY KEY,
    item_id       TEXT NOT NULL REFERENCES items (item_id),
    reviewer      TEXT NOT NULL REFERENCES reviewers (name),
    round         BIGINT NOT NULL,
    token         BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    ended_at      BIGINT,
    ended_by      TEXT CHECK (ended_by IN ('decided', 'released', 'replaced')),
    recorded_at   BIGINT NOT NULL,
    UNIQUE (item_id, token)
);
CREATE INDEX assignments_running ON assignments (item_id, ended_at, expires_at);

CREATE TABLE decisions (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    decision_id  TEXT NOT NULL UNIQUE,
    -- made by the caller: saying it twice decides once
    caller_key   TEXT NOT NULL UNIQUE,
    item_id      TEXT NOT NULL REFERENCES items (item_id),
    item_version BIGINT NOT NULL,
    reviewer     TEXT NOT NULL REFERENCES reviewers (name),
    kind         TEXT NOT NULL CHECK (kind IN ('accept', 'correct', 'reject', 'abstain', 'undo')),
    -- the candidate that was seen
    record_id    TEXT NOT NULL REFERENCES records (record_id),
    -- the true value as JSON: of accept and correct; NULL otherwise
    value        BLOB,
    reason_code  TEXT,
    note         BLOB,
    replaces     TEXT REFERENCES decisions (decision_id),
    token        BIGINT,
    -- time from painted to decided; NULL where no window saw it, never 0
    wall_ms      BIGINT,
    active_ms    BIGINT,
    -- hash of the page picture that was shown
    shown_sha256 TEXT,
    recorded_at  BIGINT NOT NULL
);
CREATE INDEX decisions_by_item ON decisions (item_id, number);
CREATE INDEX decisions_by_reviewer ON decisions (reviewer, number);

-- The chain: what each entry commits to. Payloads stand apart, so that erasing one leaves the chain whole.
CREATE TABLE audit_entries (
    seq           BIGINT PRIMARY KEY,
    recorded_at   BIGINT NOT NULL,
    zone          TEXT NOT NULL,
    who           TEXT NOT NULL,
    role          TEXT NOT NULL,
    action        TEXT NOT NULL,
    subject       TEXT NOT NULL,
    payload       BLOB NOT NULL,
    entry_hash    BLOB NOT NULL
);
CREATE TABLE audit_payloads (
    seq     BIGINT PRIMARY KEY REFERENCES audit_entries (seq),
    salt    BLOB NOT NULL,
    payload BLOB NOT NULL
);

-- Append-only, whoever asks.
CREATE TRIGGER layers_stay BEFORE UPDATE ON layers BEGIN SELECT RAISE(ABORT, 'a layer never changes'); END;
CREATE TRIGGER extractions_stay BEFORE UPDATE ON extractions BEGIN SELECT RAISE(ABORT, 'an extraction never changes'); END;
CREATE TRIGGER structures_stay BEFORE UPDATE ON structures BEGIN SELECT RAISE(ABORT, 'a structure never changes'); END;
CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'a candidate is never overwritten'); END;
CREATE TRIGGER citations_stay BEFORE UPDATE ON citations BEGIN SELECT RAISE(ABORT, 'a citation is never overwritten'); END;
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions BEGIN SELECT RAISE(ABORT, 'a decision is never edited'); END;
CREATE TRIGGER decisions_remain BEFORE DELETE ON decisions BEGIN SELECT RAISE(ABORT, 'a decision is never deleted'); END;
CREATE TRIGGER routing_log_stays BEFORE UPDATE ON routing_log BEGIN SELECT RAISE(ABORT, 'the routing log is append-only'); END;
CREATE TRIGGER routing_log_remains BEFORE DELETE ON routing_log BEGIN SELECT RAISE(ABORT, 'the routing log is append-only'); END;
CREATE TRIGGER settings_stay BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'settings are append-only'); END;
CREATE TRIGGER settings_remain BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'settings are append-only'); END;
CREATE TRIGGER thresholds_stay BEFORE UPDATE ON thresholds BEGIN SELECT RAISE(ABORT, 'thresholds are append-only'); END;
CREATE TRIGGER thresholds_remain BEFORE DELETE ON thresholds BEGIN SELECT RAISE(ABORT, 'thresholds are append-only'); END;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit chain is append-only'); END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit chain is append-only'); END;
CREATE TRIGGER audit_payloads_stay BEFORE UPDATE ON audit_payloads BEGIN SELECT RAISE(ABORT, 'an audit payload never changes'); END;
